// What happens when someone uses the page: keys, clicks, the slider, and drawing anew.
"use strict";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function onKey(map, event) {
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    choose(state.cursor, false);
  }
  const step = STEPS[event.key];
  if (!step) return;
  event.preventDefault();
  const { rows, columns } = layout(map.run);
  const from = state.cursor ?? { row: 0, column: 0 };
  state.cursor = {
    row: Math.min(rows - 1, Math.max(0, from.row + step[0])),
    column: Math.min(columns - 1, Math.max(0, from.column + step[1])),
  };
  announce(map);
  draw();
}

function choose(cell, byPointer) {
  if (!cell || runs.every((run) => statesAt(run, cell).length === 0)) return;
  state.chosen = cell;
  state.cursor = cell;
  state.chosenState = [null, null];
  state.chosenAction = [null, null];
  draw();
  explain();
  const panel = document.getElementById("why");
  const box = panel.getBoundingClientRect();
  if (byPointer && box.top > window.innerHeight - 80) panel.scrollIntoView({ block: "start" });
}

let waiting = false;
function draw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    drawNow();
  });
}

function marksOf(run, canvas) {
  const focused = document.activeElement === canvas;
  return {
    chosen: statesAt(run, state.chosen).length > 0 ? state.chosen : null,
    cursor: focused ? state.cursor : null,
    goals: run.goalStates.map((s) => cellOf(run, s)).filter((c) => statesAt(run, c).length > 0),
    arrows: arrowsOf(run),
  };
}

function drawNow() {
  for (const figure of figures) {
    const scale = scaleFor(figure.quantity);
    showTicks(figure.ticks, scale);
    for (const map of figure.maps) {
      const { run, quantity } = map;
      const snapshot = snapshotNow(run);
      const isThere = snapshot.table(quantity.key) !== null;
      map.absent.hidden = isThere;
      map.canvas.hidden = !isThere;
      map.field = isThere ? fieldNow(run, snapshot, quantity) : null;
      if (isThere)
        drawMap(map.canvas, layout(run), map.field, scale, marksOf(run, map.canvas));
      else
        map.absent.textContent = absenceText(run, quantity);
      map.canvas.dataset.episodes = snapshot.episodes;
      showReadout(map);
    }
    const isHatched = (map) => map.field && layout(map.run).states.some((_, cell) =>
      Number.isNaN(map.field[cell]));
    figure.how.textContent = howText(figure.quantity, scale, figure.maps.some(isHatched));
  }
}

function explain() {
  const focus = document.activeElement?.dataset?.focus;
  for (const run of runs) {
    const { summary, body } = panels[run.number];
    const s = explainedState(run);
    if (s === null) {
      summary.textContent = "There is no state here.";
      body.replaceChildren();
      continue;
    }
    const made = explanationOf(run, snapshotNow(run), {
      heading: two ? "h4" : "h3",
      states: statesAt(run, state.chosen),
      state: s,
      action: state.chosenAction[run.number],
      chooseAction: (action) => {
        state.chosenAction[run.number] = action;
        explain();
      },
      chooseState: (chosen) => {
        state.chosenState[run.number] = chosen;
        explain();
        draw();
      },
    });
    if (summary.textContent !== made.summary) summary.textContent = made.summary;
    body.replaceChildren(...made.body);
  }
  if (focus) document.querySelector(`[data-focus="${focus}"]`)?.focus({ preventScroll: true });
}

function showMoment() {
  const episodes = moments[state.moment];
  slider.value = state.moment;
  slider.setAttribute("aria-valuetext", `after ${episodes} episodes`);
  moment.textContent = `after ${episodes} of ${moments[moments.length - 1]} episodes`;
  for (const run of runs) {
    const at = snapshotNow(run).episodes;
    if (run.note) run.note.textContent = at === episodes ? "" : ` (shown: after ${at} episodes)`;
  }
  draw();
  explain();
}
