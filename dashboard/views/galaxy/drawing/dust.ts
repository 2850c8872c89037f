// The dust of a galaxy as a picture that all galaxies share: the arm in red, the core in green. It is painted once, from the same
// spiral that the systems lie on.
import { armPoint } from '../geometry.js';

const SIZE = 512;
const GRAINS = 900;

export function paintDust(): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = SIZE;
  canvas.height = SIZE;
  const context = canvas.getContext('2d');
  if (context === null) return canvas;
  context.fillStyle = '#000';
  context.fillRect(0, 0, SIZE, SIZE);
  context.globalCompositeOperation = 'lighter';
  for (let grain = 0; grain < GRAINS; grain += 1) {
    const share = (grain + 0.5) / GRAINS;
    // Sums of waves whose lengths have no common measure look like chance, and are the same each time.
    const clump = 0.5 + 0.28 * Math.sin(grain * 0.071) + 0.22 * Math.sin(grain * 0.0237 + 2);
    const offset = 0.02 * Math.sin(grain * 2.399);
    const { x, y } = armPoint(share, offset);
    const radius = (0.03 + 0.035 * clump) * (0.75 + 0.5 * share);
    spill(context, x, y, radius, `rgb(${Math.round(14 + 30 * clump * (1 - 0.45 * share))} 0 0)`);
  }
  spill(context, 0, 0, 0.2, 'rgb(40 70 0)');
  spill(context, 0, 0, 0.075, 'rgb(0 150 0)');
  return canvas;
}

/** Paints a soft disc. Lengths are in cells. */
function spill(context: CanvasRenderingContext2D, x: number, y: number, radius: number, colour: string): void {
  const [left, top, reach] = [(x + 0.5) * SIZE, (y + 0.5) * SIZE, radius * SIZE];
  const gradient = context.createRadialGradient(left, top, 0, left, top, reach);
  gradient.addColorStop(0, colour);
  gradient.addColorStop(0.4, colour.replace(')', ' / 0.45)'));
  gradient.addColorStop(1, 'rgb(0 0 0 / 0)');
  context.fillStyle = gradient;
  context.fillRect(left - reach, top - reach, reach * 2, reach * 2);
}
