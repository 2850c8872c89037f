// The map as a PNG file: the picture itself, with the name of the world, its time and the leaders' colours below it.
import { colourOfPlayer, theme } from '../../colours.js';
import { formatWorldTime } from '../../parts/format.js';
import { MAP_COLOURS } from './map-colours.js';

export interface Caption {
  readonly title: string;
  /** World time in ms since 1970. */
  readonly worldMs: number | null;
  readonly leaders: readonly { readonly player: number; readonly name: string }[];
}

const FONT = 'system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const LINE = 30;
const MARGIN = 16;

/** @param pixelRatio pixels of the picture for a CSS pixel */
export async function pngOf(map: HTMLCanvasElement, pixelRatio: number, caption: Caption): Promise<Blob> {
  const canvas = document.createElement('canvas');
  const footer = (LINE * 2 + MARGIN) * pixelRatio;
  canvas.width = map.width;
  canvas.height = map.height + footer;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('this browser draws on no canvas');
  const { ground, text, textSoft } = MAP_COLOURS[theme.peek()];
  context.fillStyle = `#${ground.toString(16).padStart(6, '0')}`;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(map, 0, 0);
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, map.height);
  context.textBaseline = 'middle';
  context.font = `600 15px ${FONT}`;
  context.fillStyle = text;
  context.fillText(caption.title, MARGIN, LINE / 2 + MARGIN / 2);
  const titleWidth = context.measureText(caption.title).width;
  context.font = `400 13px ${FONT}`;
  context.fillStyle = textSoft;
  const time = caption.worldMs === null ? '' : `${formatWorldTime(caption.worldMs)} world time`;
  context.fillText(time, MARGIN + titleWidth + MARGIN, LINE / 2 + MARGIN / 2);
  drawLegend(context, caption, map.width / pixelRatio);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('the picture is too large')) : resolve(blob)),
      'image/png',
    );
  });
}

/** As many leaders as there is room for. */
function drawLegend(context: CanvasRenderingContext2D, { leaders }: Caption, width: number): void {
  const y = LINE * 1.5 + MARGIN / 2;
  let x = MARGIN;
  for (const { player, name } of leaders) {
    const room = context.measureText(name).width + 16;
    if (x + room > width - MARGIN) return;
    context.fillStyle = colourOfPlayer(player);
    context.fillRect(x, y - 5, 10, 10);
    context.fillStyle = MAP_COLOURS[theme.peek()].textSoft;
    context.fillText(name, x + 16, y);
    x += room + MARGIN;
  }
}
