// What the page shows at the moment: the runs, what the reader has chosen, and what follows.
"use strict";

const runs = JSON.parse(document.getElementById("runs").textContent).map(runOf);
const two = runs.length > 1;
const moments = [...new Set(runs.flatMap((r) => r.snapshots.map((s) => s.episodes)))]
  .sort((a, b) => a - b);

const state = {
  moment: moments.length - 1, // index into moments
  view: "grid", // or graph
  layer: ALL_STEPS,
  action: WHOLE_STATE,
  rescale: false, // colours for each snapshot by itself
  logarithmic: true,
  cursor: null, // {row, column} in the maps
  chosen: null, // the cell that is explained
  chosenState: [null, null], // by run, where states share a cell; null: the likeliest
  chosenAction: [null, null], // by run; null: the likeliest
};

const layouts = new Map(); // by run, view and layer
function layout(run) {
  const key = `${run.number} ${state.view} ${state.layer}`;
  if (!layouts.has(key)) layouts.set(key, layoutOf(run, state.view, state.layer));
  return layouts.get(key);
}

const snapshotNow = (run) => snapshotAt(run, moments[state.moment]);
const statesAt = (run, cell) => {
  const { rows, columns, states } = layout(run);
  if (!cell || cell.row >= rows || cell.column >= columns) return [];
  return states[cell.row * columns + cell.column] ?? [];
};
const cellOf = (run, s) => state.view === "graph"
  ? { row: s - run.firstState[run.layerOf[s]], column: run.layerOf[s] }
  : { row: run.drawing.row[s], column: run.drawing.column[s] };

// The scale of a quantity, the same for both runs, and for all snapshots unless asked otherwise.
const scales = new Map();
function scaleFor(quantity) {
  const kind = state.logarithmic ? quantity.scale : "linear";
  if (quantity.range) return scaleOf("linear", ...quantity.range);
  const key = [quantity.key, kind, state.view, state.layer, state.action,
    state.rescale ? state.moment : "all"].join(" ");
  if (!scales.has(key)) {
    const fields = runs.flatMap((run) => (state.rescale ? [snapshotNow(run)] : run.snapshots)
      .map((snapshot) => fieldNow(run, snapshot, quantity)));
    scales.set(key, makeScale(kind, fields));
  }
  return scales.get(key);
}

const fieldNow = (run, snapshot, quantity) =>
  fieldOf(run, snapshot, quantity, layout(run), state.action, state.layer);

// The state of a cell that is explained: the asked one, or the one where the plan is likeliest.
function explainedState(run) {
  const here = statesAt(run, state.chosen);
  if (here.length === 0) return null;
  if (here.includes(state.chosenState[run.number])) return state.chosenState[run.number];
  return likeliestState(run, here);
}

function likeliestState(run, states) {
  const mass = (s) => stateValue(run, snapshotNow(run), QUANTITIES[0], s, WHOLE_STATE);
  return states.reduce((best, s) => (mass(s) > mass(best) ? s : best), states[0]);
}

function arrowsOf(run) {
  const s = explainedState(run);
  if (s === null || run.drawing.next.length === 0 || run.layerOf[s] + 1 === run.layers) return [];
  const policy = snapshotNow(run).table("policy");
  const arrows = [];
  for (let p = run.firstPair[s]; p < run.firstPair[s + 1]; ++p)
    arrows.push({ from: state.chosen, to: cellOf(run, run.drawing.next[p]), weight: policy[p] });
  return arrows.sort((a, b) => a.weight - b.weight);
}
