import type { Documents } from './documents.js';

const schemes = {
  light: { text: '#16201f', muted: '#55625f', line: '#7b8784', accent: '#00747a', box: '#eef6f5' },
  dark: { text: '#e8eeec', muted: '#a3b0ad', line: '#7f8b88', accent: '#4fc3c7', box: '#16292a' },
} as const;

type Scheme = keyof typeof schemes;

/** A drawing without colours. The colour scheme sets the colours of its classes. */
interface Drawing {
  /** What the drawing shows, for readers who do not see it. */
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly content: readonly string[];
}

function formatSvg({ title, width, height, content }: Drawing, scheme: Scheme): string {
  const { text, muted, line, accent, box } = schemes[scheme];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${title}" font-family="system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif" font-size="14" text-anchor="middle">
<style>
text { fill: ${text} }
.muted { fill: ${muted}; font-size: 13px }
.name { font-weight: 600; font-size: 15px }
.code { font-family: ui-monospace, Menlo, Consolas, monospace; font-weight: 600 }
.box { fill: ${box}; stroke: ${accent}; stroke-width: 1.5 }
.quiet { fill: none; stroke: ${line}; stroke-width: 1.5 }
.life { stroke: ${line}; stroke-dasharray: 2 5 }
.arrow { fill: none; stroke: ${accent}; stroke-width: 1.75; marker-end: url(#head) }
.reply { stroke-dasharray: 6 4 }
.head { fill: ${accent} }
</style>
<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path class="head" d="M0 1 10 5 0 9z"/></marker></defs>
${content.join('\n')}
</svg>
`;
}

const drawText = (x: number, y: number, text: string, name = '') =>
  `<text x="${x}" y="${y}"${name && ` class="${name}"`}>${text}</text>`;

const drawBox = (x: number, y: number, width: number, height: number, name = 'box') =>
  `<rect class="${name}" x="${x - width / 2}" y="${y}" width="${width}" height="${height}" rx="10"/>`;

const drawArrow = (path: string, isReply = false) =>
  `<path class="arrow${isReply ? ' reply' : ''}" d="${path}"/>`;

/** The participants of the sequence diagrams, from left to right. */
const participants = ['Widget', 'Page', 'Your backend', 'Service'] as const;
type Participant = (typeof participants)[number];

type Step =
  | { readonly from: Participant; readonly to: Participant; readonly text: string; reply?: true }
  | { readonly at: Participant; readonly lines: readonly [string, string] };

const checkoutSteps: readonly Step[] = [
  { from: 'Page', to: 'Your backend', text: 'proposes a checkout' },
  { at: 'Your backend', lines: ['policy decides,', 'checkout is stored, signed'] },
  { from: 'Your backend', to: 'Page', text: 'signed parameters', reply: true },
  { from: 'Page', to: 'Widget', text: 'opens the signed URL' },
  { at: 'Widget', lines: ['verifies the signature,', 'the shopper pays'] },
  { from: 'Widget', to: 'Service', text: 'payment' },
  { from: 'Service', to: 'Your backend', text: 'webhook: a hint, may be lost' },
  { from: 'Your backend', to: 'Service', text: 'reads the order list' },
  { from: 'Service', to: 'Your backend', text: 'paid orders', reply: true },
  { at: 'Your backend', lines: ['matches order and checkout,', 'delivers it'] },
  { from: 'Your backend', to: 'Page', text: 'event: “Delivered”' },
];

function drawCheckout(): Drawing {
  const [left, gap, top, row] = [120, 230, 72, 54];
  const place = (name: Participant) => left + gap * participants.indexOf(name);
  const bottom = top + row * checkoutSteps.length + 8;
  const columns = participants.flatMap((name) => [
    `<path class="life" d="M${place(name)} 52V${bottom}"/>`,
    drawBox(place(name), 12, 150, 40),
    drawText(place(name), 37, name, 'name'),
  ]);
  const rows = checkoutSteps.flatMap((step, index) => {
    const y = top + row * index;
    if ('at' in step) {
      const x = place(step.at);
      return [
        drawBox(x, y, 190, 44),
        ...step.lines.map((line, at) => drawText(x, y + 18 + 17 * at, line, 'muted')),
      ];
    }
    const [start, end] = [place(step.from), place(step.to)];
    const inset = Math.sign(end - start) * 4;
    return [
      drawText((start + end) / 2, y + 20, step.text),
      drawArrow(`M${start} ${y + 30}H${end - inset}`, step.reply),
    ];
  });
  return {
    title: 'The sequence of a checkout',
    width: 2 * left + gap * 3,
    height: bottom + 12,
    content: [...columns, ...rows],
  };
}

/** Each state of a checkout: the x of its box's centre, the y of its box's top, and what the state means. */
const states = {
  waiting: [100, 70, 'no order yet'],
  unconfirmed: [330, 70, 'a webhook announced it'],
  finished: [560, 70, 'paid and delivered'],
  settlement: [790, 70, 'NFT: being settled'],
  settled: [1020, 70, 'NFT: settled'],
  expired: [215, 230, 'no order in time'],
  review: [560, 230, 'differs from its terms'],
} as const;

function drawOrderStates(): Drawing {
  const boxes = Object.entries(states).flatMap(([name, [x, y, meaning]]) => [
    drawBox(x, y, 176, 60, name === 'review' || name === 'expired' ? 'quiet' : 'box'),
    drawText(x, y + 26, name, 'code'),
    drawText(x, y + 46, meaning, 'muted'),
  ]);
  const arrows = [
    drawArrow('M188 100H240'),
    drawArrow('M418 100H470'),
    drawArrow('M648 100H700'),
    drawArrow('M878 100H930'),
    drawArrow('M100 70C100 10 560 10 560 68'),
    drawText(330, 16, 'in the order list', 'muted'),
    drawArrow('M130 130 180 228'),
    drawArrow('M300 130 252 228'),
    drawArrow('M303 244C400 220 470 190 512 132'),
    drawText(448, 228, 'paid late', 'muted'),
    drawArrow('M368 130 505 228'),
  ];
  return {
    title: 'The states of a checkout',
    width: 1120,
    height: 306,
    content: [...arrows, ...boxes],
  };
}

export function formatDiagrams(): Documents {
  const drawings = { checkout: drawCheckout(), 'order-states': drawOrderStates() };
  return Object.fromEntries(
    Object.entries(drawings).flatMap(([name, drawing]) =>
      (['light', 'dark'] as const).map((scheme) => [
        `docs/pictures/${name}-${scheme}.svg`,
        formatSvg(drawing, scheme),
      ]),
    ),
  );
}
