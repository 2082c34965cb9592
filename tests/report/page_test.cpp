#include "vapor/report/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vapor/report/assets.h"

namespace vapor {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Page, EscapesTextForElementsAndAttributes) {
  EXPECT_EQ(escape_html("a<b & \"c\" > 'd'"), "a&lt;b &amp; &quot;c&quot; &gt; &#39;d&#39;");
}

TEST(Page, DataCannotEndItsElement) {
  Page page;
  page.title = "</title><script>";
  page.data.push_back({"figures", {{"agent", "</script><b>"}}});
  const std::string html = html_of(page);
  EXPECT_THAT(html, HasSubstr("<title>&lt;/title&gt;&lt;script&gt;</title>"));
  EXPECT_THAT(html, Not(HasSubstr("</script><b>")));
  EXPECT_THAT(html, HasSubstr("id=\"figures\">{\"agent\":\"\\u003c/script>\\u003cb>\"}</script>"));
}

TEST(Page, NamesNoAddressToLoadFrom) {
  Page page;
  page.scripts = {"vega.min.js", "vega-lite.min.js", "vega-embed.min.js"};
  const std::string html = html_of(page);
  for (const char* attribute : {"<script src", "<link rel=\"stylesheet\"", "@import", "url("})
    EXPECT_THAT(html.substr(0, html.find("<script>")), Not(HasSubstr(attribute)));
}

TEST(Assets, AreWholeAndInlineAsScripts) {
  for (const char* name : {"vega.min.js", "vega-lite.min.js", "vega-embed.min.js"}) {
    EXPECT_GT(asset(name).size(), 50'000u) << name;
    EXPECT_EQ(asset(name).find("</script"), std::string_view::npos) << name;
  }
  EXPECT_EQ(asset("page.css").substr(0, 2), "/*");
}

}  // namespace
}  // namespace vapor
