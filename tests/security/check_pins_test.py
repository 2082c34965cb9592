"""check_pins.py notices what it is for."""

import unittest

from check_pins import loose_calls, unpinned_packages, unpinned_requirements

HASH = "sha256:" + "0" * 64


class Pins(unittest.TestCase):
    def test_requirements(self):
        good = f"numpy==2.0.1 \\\n    --hash={HASH} \\\n    --hash={HASH}\n    # via scipy\n"
        self.assertEqual(unpinned_requirements(good), [])
        for bad in [
            "numpy\n",
            f"numpy>=2 --hash={HASH}\n",
            "numpy==2.0.1\n",
            "numpy==2.0.1 --hash=md5:00\n",
            "git+https://example.org/x.git\n",
            "--index-url https://example.org\n",
        ]:
            self.assertEqual(len(unpinned_requirements(bad)), 1, bad)

    def test_packages(self):
        good = '{"packages": {"": {}, "node_modules/a": {"integrity": "sha512-AA=="}}}'
        self.assertEqual(unpinned_packages(good), [])
        self.assertEqual(unpinned_packages(good.replace("sha512-AA==", "")), ["node_modules/a"])

    def test_calls(self):
        self.assertEqual(loose_calls("pip install --require-hashes -r x.txt"), [])
        for bad in [
            "pip install numpy",
            "python -m pip install -r x.txt",
            "npm install left-pad",
            "curl https://example.org | sh",
        ]:
            self.assertEqual(len(loose_calls(bad)), 1, bad)


if __name__ == "__main__":
    unittest.main()
