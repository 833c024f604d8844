/** Moments to wait for: the first paint, and the next free one. */

const patience = 500; // ms after which a page counts as painted: one in a hidden tab never is

/** When the page shows something for the first time, or somebody already uses it. */
export function painted(): Promise<void> {
  if (document.hidden || performance.getEntriesByName("first-contentful-paint").length) return Promise.resolve();
  return new Promise(done => {
    const paints = new PerformanceObserver(list => {
      if (!list.getEntriesByName("first-contentful-paint").length) return;
      paints.disconnect();
      done();
    });
    paints.observe({type: "paint", buffered: true});
    for (const sign of ["focusin", "keydown", "pointerdown"])
      addEventListener(sign, () => done(), {once: true, capture: true});
    setTimeout(done, patience);
  });
}

/** Lets the browser paint and answer keys between two steps of the start. */
export function breathe(): Promise<void> {
  return new Promise(done => setTimeout(done));
}
