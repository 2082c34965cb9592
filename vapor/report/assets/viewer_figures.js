// The figures: a map for each quantity and run, its colour bar, and words about it.
"use strict";

function colourBar() {
  const canvas = element("canvas", { class: "bar-colours", width: 256, height: 1,
    "aria-hidden": "true" });
  const context = canvas.getContext("2d");
  PALETTE.forEach(([r, g, b], i) => {
    context.fillStyle = `rgb(${r}, ${g}, ${b})`;
    context.fillRect(i, 0, 1, 1);
  });
  const ticks = element("div", { class: "ticks" });
  return { node: element("div", { class: "colour-bar" }, canvas, ticks), ticks };
}

function showTicks(ticks, scale) {
  ticks.replaceChildren(...ticksOf(scale, ticks.clientWidth).map(({ text, at }) => {
    const label = element("span", { class: at === 0 ? "low" : at === 1 ? "high" : "" }, text);
    label.style.left = `${100 * at}%`;
    return label;
  }));
}

// A map of one quantity of one run.
function makeMap(run, quantity, isFirst) {
  const canvas = element("canvas", {
    role: "application", "aria-roledescription": "map", tabindex: isFirst ? 0 : -1,
    "data-run": run.number, "aria-label": `${quantity.title} (${quantity.symbol}) of ` +
      `${run.agent}. Arrow keys move the cursor, Enter explains the state under it.`,
  });
  const readout = element("p", { class: "readout" });
  const absent = element("p", { class: "absent", hidden: "" });
  const node = element("div", { class: "map" });
  if (two) node.append(element("p", { class: "name" }, run.agent));
  node.append(element("div", { class: "sheet" }, canvas), absent, readout);
  const map = { run, quantity, canvas, readout, absent, node, field: null, hover: null };
  canvas.addEventListener("keydown", (event) => onKey(map, event));
  canvas.addEventListener("focus", () => {
    state.cursor = state.cursor ?? state.chosen;
    announce(map);
    draw();
  });
  canvas.addEventListener("blur", draw);
  canvas.addEventListener("click", (event) => choose(cellUnder(canvas, layout(run), event), true));
  canvas.addEventListener("pointermove", (event) => {
    map.hover = cellUnder(canvas, layout(run), event);
    showReadout(map);
  });
  canvas.addEventListener("pointerleave", () => {
    map.hover = null;
    showReadout(map);
  });
  return map;
}

function makeFigure(quantity, isFirst) {
  const bar = colourBar();
  const how = element("p", { class: "how" });
  const maps = runs.map((run) => makeMap(run, quantity, isFirst));
  const node = element("figure", { "data-quantity": quantity.key },
    element("figcaption", {}, element("h3", {}, quantity.title, " ",
      element("code", {}, quantity.symbol)), quantity.meaning),
    element("div", { class: two ? "pair of-maps" : "of-maps" }, ...maps.map((m) => m.node)),
    bar.node, how);
  return { quantity, node, how, maps, ticks: bar.ticks };
}

// Which numbers the map has, in words, and why some are hatched.
function howText(quantity, scale, hatched) {
  const shared = state.view === "grid" && state.layer === ALL_STEPS && runs.some((r) => r.shared);
  const parts = [
    quantity.byState || state.action === WHOLE_STATE
      ? quantity.wholeSays : `action ${state.action}`,
    shared ? quantity.stepsSays : "",
    scale.kind === "linear" ? "" : "logarithmic colours",
  ].filter(Boolean);
  const why = state.action !== WHOLE_STATE && !quantity.byState
    ? `${quantity.missing ? `${quantity.missing}, or ` : ""}there is no such action`
    : quantity.missing;
  return `Unit: ${quantity.unit}; ${parts.join("; ")}.` +
    (hatched ? ` Hatched: ${quantity.symbol} does not exist; ${why}.` : "");
}

function absenceText(run, quantity) {
  return `${run.agent} has no ${quantity.symbol}: it solves no program, which is where ` +
    `${quantity.key === "V" ? "prices" : "temperatures"} come from.`;
}

function showReadout(map) {
  const cell = map.hover ?? state.cursor ?? state.chosen;
  const here = statesAt(map.run, cell);
  if (!cell || here.length === 0 || !map.field) {
    map.readout.textContent = cell && map.field ? "no state here" : "";
    return;
  }
  const value = map.field[cell.row * layout(map.run).columns + cell.column];
  map.readout.textContent = `${cellName(map.run, cell)}: ${formatNumber(value)}`;
}

const cellName = (run, cell) => state.view === "graph"
  ? `timestep ${cell.column}, state ${cell.row}` : cellText(run, cell.row, cell.column);

function announce(map) {
  if (!state.cursor) return;
  const here = statesAt(map.run, state.cursor);
  const value = map.field?.[state.cursor.row * layout(map.run).columns + state.cursor.column];
  document.getElementById("announcer").textContent = `${cellName(map.run, state.cursor)}: ` +
    (here.length === 0 ? "no state" : `${map.quantity.symbol} ${formatNumber(value ?? NaN)}`);
}
