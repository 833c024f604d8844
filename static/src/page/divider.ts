/** The divider between statement and work: mouse, touch, arrow keys; its place is remembered in a cookie. */
import {find} from "./dom";
import {remember} from "./theme";

const least = 20,
  most = 80,
  usual = 40,
  step = 2;

/** Makes the divider move. */
export function setUpDivider(): void {
  const divider = find(".divider"),
    bench = find(".bench");
  if (!divider || !bench) return;
  const place = () => Number(divider.getAttribute("aria-valuenow")) || usual;

  const move = (percent: number) => {
    const now = Math.round(Math.min(most, Math.max(least, percent)));
    bench.style.setProperty("--split", `${now}%`);
    divider.setAttribute("aria-valuenow", String(now));
    divider.setAttribute("aria-valuetext", `${now} %`);
  };
  const settle = () => remember("split", place() === usual ? null : String(place()));

  divider.addEventListener("keydown", event => {
    const to: Record<string, number> = {ArrowLeft: place() - step, ArrowRight: place() + step, Home: least, End: most};
    const target = to[event.key];
    if (target === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    move(target);
    settle();
  });
  divider.addEventListener("pointerdown", event => {
    if (event.button !== 0) return;
    event.preventDefault(); // or the drag selects text
    divider.focus();
    divider.setPointerCapture(event.pointerId);
  });
  divider.addEventListener("pointermove", event => {
    if (!divider.hasPointerCapture(event.pointerId)) return;
    const {left, width} = bench.getBoundingClientRect();
    move(((event.clientX - left) / width) * 100);
  });
  divider.addEventListener("lostpointercapture", settle);
  divider.addEventListener("dblclick", () => {
    move(usual);
    settle();
  });
}
