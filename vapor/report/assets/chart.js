// A page with one chart: its specification stands in the page.
"use strict";

const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
vegaEmbed("#plot", JSON.parse(document.getElementById("chart").textContent), {
  ast: true, renderer: "svg", actions: false, theme: dark ? "dark" : undefined,
  config: { background: null },
}).catch((error) => {
  document.getElementById("plot").textContent = `The chart cannot be drawn: ${error.message}`;
});
