// Stands for Vega in a build that did not have it.
"use strict";

function vegaEmbed() {
  return Promise.reject(new Error("this vapor was built without Vega: install npm and build again"));
}
