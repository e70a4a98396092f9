import type { Locator, Page } from 'playwright';

const style = `
html { color-scheme: light dark }
body { margin: 0; background: light-dark(#f5f7f7, #101515); color: light-dark(#16201f, #e8eeec); font: 16px/1.5 system-ui, sans-serif }
#picture { position: relative; display: inline-block }
img { display: block }
`;

const toUrl = (png: Buffer) => `data:image/png;base64,${png.toString('base64')}`;

/** Returns an `<img>` that shows the picture `width` CSS pixels wide. */
export const formatImage = (png: Buffer, width: number, attributes = ''): string =>
  `<img src="${toUrl(png)}" width="${width}" alt="" ${attributes}>`;

export async function takePictureOf(canvas: Page, css: string, html: string): Promise<Buffer> {
  await canvas.setContent(`<style>${style}${css}</style><div id="picture">${html}</div>`);
  await canvas.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
  return canvas.locator('#picture').screenshot();
}

/** A label beside a picture, with a line to the element that it names. */
export interface Label {
  readonly of: Locator;
  readonly text: string;
  readonly side: 'left' | 'right';
}

const GUTTER = 270;
const LABEL = 236;
const DISTANCE = 36;

export async function annotate(
  canvas: Page,
  element: Locator,
  labels: readonly Label[],
): Promise<Buffer> {
  const box = await element.boundingBox();
  if (!box) throw new Error('The element is not visible.');
  const placed = await Promise.all(
    labels.map(async ({ of, text, side }) => {
      const target = await of.first().boundingBox();
      if (!target) throw new Error(`Nothing to label with ${text}.`);
      return {
        text,
        side,
        x: (side === 'left' ? target.x : target.x + target.width) - box.x,
        y: target.y + target.height / 2 - box.y,
      };
    }),
  );
  const lines: string[] = [];
  const texts: string[] = [];
  for (const side of ['left', 'right'] as const) {
    let lowest = 0;
    for (const { text, x, y } of placed
      .filter((label) => label.side === side)
      .sort((a, b) => a.y - b.y)) {
      const at = Math.max(y, lowest);
      lowest = at + DISTANCE;
      const from = side === 'left' ? LABEL + 8 : GUTTER * 2 + box.width - LABEL - 8;
      lines.push(
        `<path d="M${from} ${at}L${GUTTER + x} ${y}"/><circle cx="${GUTTER + x}" cy="${y}" r="4"/>`,
      );
      texts.push(`<code class="${side}" style="top:${at}px">${text}</code>`);
    }
  }
  const width = GUTTER * 2 + box.width;
  const css = `
    #picture { padding: 24px 0; inline-size: ${width}px }
    .inner { position: relative }
    .inner img { margin-inline: auto }
    svg { position: absolute; inset: 0; overflow: visible; fill: light-dark(#00747a, #4fc3c7); stroke: light-dark(#00747a, #4fc3c7); stroke-width: 1.5 }
    code { position: absolute; inline-size: ${LABEL}px; transform: translateY(-50%); font: 600 15px/1.3 ui-monospace, Menlo, monospace }
    .left { inset-inline-start: 0; text-align: end }
    .right { inset-inline-end: 0 }`;
  const html = `<div class="inner">${formatImage(await element.screenshot(), box.width)}<svg width="${width}" height="${box.height}">${lines.join('')}</svg>${texts.join('')}</div>`;
  return takePictureOf(canvas, css, html);
}
