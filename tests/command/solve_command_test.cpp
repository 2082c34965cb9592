#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/command/run_command.h"

namespace vapor {
namespace {

using nlohmann::json;
using test_support::contents;
using test_support::Outcome;
using test_support::fs::exists;
using testing::HasSubstr;

class SolveCommand : public test_support::CommandTest {
 protected:
  // A problem that takes some iterations.
  std::string problem(const std::string& name = "problem.json", int seed = 1) const {
    const Outcome outcome =
        vapor({"generate", "random", "--layers", "5", "--states", "6", "--sigma-min", "0.001",
               "--seed", std::to_string(seed), "--out", path(name)});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return path(name);
  }

  json solved(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "solve");
    arguments.push_back("--json");
    const Outcome outcome = vapor(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return json::parse(outcome.out);
  }
};

TEST_F(SolveCommand, JsonIsExactlyOneObjectWithTheCertificate) {
  const json answer = solved({problem()});
  ASSERT_TRUE(answer.is_object());
  EXPECT_EQ(answer["status"], "solved");
  for (const char* key :
       {"value", "upper_bound", "gap", "flow_residual", "dual_residual", "iterations", "seconds"}) {
    ASSERT_TRUE(answer.contains(key)) << key;
    EXPECT_TRUE(answer[key].is_number()) << key;
  }
  const double value = answer["value"];
  EXPECT_NEAR(answer["upper_bound"].get<double>() - value, answer["gap"], 1e-15 * std::abs(value));
  EXPECT_LE(answer["gap"].get<double>(), 1e-9 * std::max(1.0, std::abs(value)));
  EXPECT_FALSE(answer.contains("policy"));
}

TEST_F(SolveCommand, TheTableIsForPeople) {
  const Outcome outcome = vapor({"solve", problem()});
  EXPECT_EQ(outcome.exit_code, 0);
  for (const char* word : {"problem.json", "status", "solved", "value", "bound", "gap"})
    EXPECT_THAT(outcome.out, HasSubstr(word));
  const Outcome quiet = vapor({"solve", problem(), "--quiet"});
  EXPECT_EQ(quiet.exit_code, 0);
  EXPECT_EQ(quiet.out + quiet.err, "");
}

TEST_F(SolveCommand, EveryMethodAnswersTheSame) {
  const double value = solved({problem()})["value"];
  for (const auto& [method, tolerance] :
       {std::pair("newton_cg", "1e-7"), std::pair("saddle_point", "1e-5"),
        std::pair("frank_wolfe", "0.01")}) {
    const json answer = solved({problem(), "--method", method, "--tol", tolerance});
    EXPECT_EQ(answer["method"], method);
    EXPECT_NEAR(answer["value"], value, std::stod(tolerance) * std::max(1.0, value)) << method;
  }
}

TEST_F(SolveCommand, ReadsStandardInput) {
  const Outcome outcome = vapor({"solve", "-", "--json"}, problem());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out)["value"], solved({problem()})["value"]);
}

TEST_F(SolveCommand, WritesASolutionAndStartsFromIt) {
  const json cold = solved({problem(), "--out", path("solution.json")});
  const json file = json::parse(contents(path("solution.json")));
  for (const char* table : {"occupancy", "policy", "temperature", "values"}) {
    ASSERT_EQ(file[table].size(), 5u) << table;
    for (const json& layer : file[table]) EXPECT_EQ(layer.size(), 6u) << table;
  }
  EXPECT_EQ(file["value"], cold["value"]);
  const json warm = solved({problem(), "--warm-start", path("solution.json")});
  EXPECT_NEAR(warm["value"], cold["value"], 2e-9 * std::max(1.0, cold["value"].get<double>()));
}

TEST_F(SolveCommand, AWarmStartThatDoesNotFitIsRefused) {
  ASSERT_EQ(vapor({"generate", "random", "--layers", "2", "--out", path("other.json")}).exit_code,
            0);
  solved({path("other.json"), "--out", path("solution.json")});
  EXPECT_THAT(refusal({"solve", problem(), "--warm-start", path("solution.json"), "--out",
                       path("new.json")}),
              HasSubstr("solution.json: policy"));
  EXPECT_FALSE(exists(path("new.json")));
  EXPECT_THAT(refusal({"solve", problem(), "--warm-start", path("missing.json")}),
              HasSubstr("missing.json"));
  refusal({"solve", problem(), "--warm-start", problem()});
}

TEST_F(SolveCommand, CertifyIsAboutTheGap) {
  EXPECT_EQ(vapor({"solve", problem(), "--certify", "1e-9"}).exit_code, 0);
  // The first iterates are worse than 1e-5 and better than 1e6.
  const Outcome missed = vapor({"solve", problem(), "--max-iterations", "1", "--certify", "1e-5"});
  EXPECT_EQ(missed.exit_code, 1);
  EXPECT_EQ(missed.error_lines(), 1);
  EXPECT_EQ(vapor({"solve", problem(), "--max-iterations", "1", "--certify", "1e6"}).exit_code, 0);
}

TEST_F(SolveCommand, ACertificateNeedsATolerance) {
  for (const char* bad : {"-1", "0", "nan", "abc", ""})
    EXPECT_THAT(refusal({"solve", problem(), "--certify", bad}), HasSubstr("--certify")) << bad;
}

TEST_F(SolveCommand, AnUnfinishedSolveKeepsItsBoundsAndExitsWithOne) {
  const Outcome outcome = vapor(
      {"solve", problem(), "--max-iterations", "1", "--json", "--out", path("solution.json")});
  EXPECT_EQ(outcome.exit_code, 1);
  const json answer = json::parse(outcome.out);
  EXPECT_EQ(answer["status"], "max_iterations");
  const double optimum = solved({problem()})["value"];
  EXPECT_LE(answer["value"].get<double>(), optimum + 1e-9);
  EXPECT_GE(answer["upper_bound"].get<double>(), optimum - 1e-9);
  EXPECT_TRUE(exists(path("solution.json")));
  for (const char* name : {"--time", "--max-seconds"}) {
    const Outcome late = vapor({"solve", problem(), name, "1e-12", "--json"});
    EXPECT_EQ(late.exit_code, 1);
    EXPECT_EQ(json::parse(late.out)["status"], "time_limit");
    EXPECT_LE(json::parse(late.out)["value"].get<double>(), optimum + 1e-9);
    EXPECT_GE(json::parse(late.out)["upper_bound"].get<double>(), optimum - 1e-9);
  }
}

TEST_F(SolveCommand, WhatTakesTooMuchMemoryIsRefusedByNeedAndLimit) {
  const std::string file = problem();
  for (const char* enough : {"1e9", "500M", "1.5GB", "2GiB", "1000000k", "0.001T"})
    EXPECT_EQ(solved({file, "--memory", enough})["status"], "solved") << enough;
  for (const char* method : {"newton", "all"}) {
    const Outcome refused = vapor({"solve", file, "--method", method, "--memory", "20kB"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("--memory: " + file + ": "));
    EXPECT_THAT(refused.err, HasSubstr("kB, and 20 kB are allowed"));
  }
  const Outcome unread = vapor({"solve", file, "--memory", "1kB"});
  EXPECT_EQ(unread.exit_code, 2);
  EXPECT_THAT(unread.err, HasSubstr("the problem takes more memory than"));
  for (const char* bad : {"", "lots", "1.5X", "-1", "0", "nan", "1GG", "GB", "1e30", "5 GB"})
    EXPECT_EQ(vapor({"solve", file, "--memory", bad}).exit_code, 2) << bad;
}

TEST_F(SolveCommand, ThreadsChangeNothingButTheTime) {
  std::vector<std::string> arguments;
  for (int i = 0; i < 7; ++i) arguments.push_back(problem("p" + std::to_string(i) + ".json", i));
  const auto answers = [&](const char* threads) {
    std::vector<std::string> all = arguments;
    all.insert(all.end(), {"--threads", threads});
    json result = solved(all);
    EXPECT_EQ(result["solutions"].size(), 7u);
    for (json& each : result["solutions"]) each.erase("seconds");
    return result;
  };
  const json one = answers("1");
  EXPECT_EQ(one, answers("2"));
  EXPECT_NE(one["solutions"][0]["value"], one["solutions"][1]["value"]);
  EXPECT_EQ(one["solutions"][3]["file"], arguments[3]);
}

TEST_F(SolveCommand, OneBadFileAmongSeveralIsRefused) {
  EXPECT_THAT(refusal({"solve", problem(), path("missing.json"), "--json", "--threads", "2"}),
              HasSubstr("missing.json"));
  EXPECT_THAT(refusal({"solve", problem(), problem(), "--out", path("s.json")}),
              HasSubstr("--out"));
  EXPECT_FALSE(exists(path("s.json")));
}

// "layers[0].sigma[0][1]: must be >= 0" alone does not say in which of them.
TEST_F(SolveCommand, TheBadFileAmongSeveralIsNamed) {
  write("bad.json", R"({"format": "vapor-problem", "version": 1, "initial": [1.0],
                        "layers": [{"reward_mean": [[0.0]], "sigma": [[-1]]}]})");
  EXPECT_THAT(refusal({"solve", problem(), path("bad.json")}),
              testing::AllOf(HasSubstr("bad.json"), HasSubstr("layers[0].sigma[0][0]")));
}

TEST_F(SolveCommand, BadSettingsAreNamed) {
  const std::string file = problem();
  EXPECT_THAT(refusal({"solve", file, "--tol", "0"}), HasSubstr("tol"));
  EXPECT_THAT(refusal({"solve", file, "--tol", "nan"}), HasSubstr("tol"));
  EXPECT_THAT(refusal({"solve", file, "--method", "simplex"}), HasSubstr("newton_cg"));
  EXPECT_THAT(refusal({"solve", file, "--regulariser", "ridge"}), HasSubstr("weighted_entropy"));
  EXPECT_THAT(refusal({"solve", file, "--threads", "0"}), HasSubstr("--threads"));
  EXPECT_THAT(refusal({"solve", file, "--max-iterations", "-3"}), HasSubstr("iterations"));
  EXPECT_THAT(refusal({"solve", file, "--time", "-3"}), HasSubstr("--time"));
  EXPECT_THAT(refusal({"solve", file, "--out", path("no/such/folder.json")}), HasSubstr("folder"));
}

TEST_F(SolveCommand, AllMethodsSideBySide) {
  const Outcome table = vapor({"solve", problem(), "--method", "all", "--tol", "0.01"});
  EXPECT_EQ(table.exit_code, 0) << table.err;
  const json answer = solved({problem(), "--method", "all", "--tol", "0.01"});
  ASSERT_EQ(answer["solutions"].size(), 4u);
  const double value = solved({problem()})["value"];
  for (const json& each : answer["solutions"]) {
    EXPECT_EQ(each["status"], "solved");
    EXPECT_LE(each["value"].get<double>(), value + 1e-9);
    EXPECT_GE(each["upper_bound"].get<double>(), value - 1e-9);
    EXPECT_THAT(table.out, HasSubstr(each["method"].get<std::string>()));
  }
  // Where not all of them get there, one is enough.
  EXPECT_EQ(vapor({"solve", problem(), "--method", "all", "--max-iterations", "30"}).exit_code, 0);
  EXPECT_EQ(vapor({"solve", problem(), "--method", "all", "--max-iterations", "1"}).exit_code, 1);
}

TEST_F(SolveCommand, ATraceIsRecordedForEachMethod) {
  const std::string folder = path("traces");
  const json answer = solved({problem(), "--method", "all", "--tol", "0.01", "--trace", folder});
  for (const json& each : answer["solutions"]) {
    const std::string trace = each["trace"];
    EXPECT_EQ(trace, folder + "/" + each["method"].get<std::string>());
    const json run = json::parse(contents(trace + "/run.json"));
    EXPECT_EQ(run["status"], "finished");
    EXPECT_EQ(run["definition"]["problem"], problem());
    EXPECT_THAT(run["command"].get<std::string>(), HasSubstr("--trace " + folder));
    EXPECT_TRUE(contents(trace + "/trace.csv").starts_with("iteration,seconds,lower_bound,"));
  }
  const json one = solved({problem(), "--trace", path("one"), "--out", path("solution.json")});
  EXPECT_EQ(one["trace"], path("one") + "/newton");
  EXPECT_TRUE(exists(path("solution.json")));
  // Another tolerance is another solve, which needs another folder.
  EXPECT_THAT(refusal({"solve", problem(), "--trace", path("one"), "--tol", "1e-3"}),
              HasSubstr("tolerance"));
}

TEST_F(SolveCommand, WhatDoesNotGoWithAllOrATraceIsRefused) {
  const std::string file = problem();
  solved({file, "--out", path("solution.json")});
  EXPECT_THAT(refusal({"solve", file, file, "--method", "all"}), HasSubstr("--method all"));
  EXPECT_THAT(refusal({"solve", file, file, "--trace", path("t")}), HasSubstr("--trace"));
  EXPECT_THAT(refusal({"solve", file, "--method", "all", "--out", path("s.json")}),
              HasSubstr("--out"));
  EXPECT_THAT(refusal({"solve", file, "--trace", path("t"), "--warm-start", path("solution.json")}),
              HasSubstr("--warm-start"));
  EXPECT_FALSE(exists(path("t")));
}

TEST_F(SolveCommand, ConstraintsHaveALineEach) {
  const auto file = [&](const char* bound) {
    return write("constrained.json",
                 std::string(R"({"format": "vapor-problem", "version": 1, "initial": [1],
      "layers": [{"reward_mean": [[0, 0]], "sigma": [[1, 1]]}],
      "constraints": [{"name": "first", "terms": [[0, 0, 0, 1]], "sense": "<=", "bound": 0.25},
                      {"name": "both", "layers": [[0, 2]], "sense": ">=", "bound": )") +
                     bound + "}]}");
  };
  const Outcome table = vapor({"solve", file("1")});
  EXPECT_EQ(table.exit_code, 0) << table.err;
  for (const char* word : {"constraint", "used", "price", "first", "both", "<=", ">=", "0.25"})
    EXPECT_THAT(table.out, HasSubstr(word));
  const json answer = solved({file("1")});
  ASSERT_EQ(answer["constraints"].size(), 2u);
  EXPECT_EQ(answer["constraints"][0]["name"], "first");
  EXPECT_NEAR(answer["constraints"][0]["used"], 0.25, 1e-8);
  EXPECT_GT(answer["constraints"][0]["price"].get<double>(), 0.1);
  EXPECT_EQ(answer["constraint_residual"], 0.0);

  // Two visits of a layer that is visited once.
  const Outcome none = vapor({"solve", file("3"), "--json", "--certify", "1"});
  EXPECT_EQ(none.exit_code, 1);
  const json proof = json::parse(none.out);
  EXPECT_EQ(proof["status"], "infeasible");
  for (const char* key : {"value", "upper_bound", "gap"}) EXPECT_TRUE(proof[key].is_null()) << key;
  EXPECT_LT(proof["infeasibility"].get<double>(), 0.0);
  EXPECT_EQ(vapor({"solve", file("3")}).exit_code, 1);
}

}  // namespace
}  // namespace vapor
