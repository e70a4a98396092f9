import type { ReactElement } from 'react';
import { pickRandom, type Random, randomBetween } from './createRandom.js';
import { mixColors, SHEET } from './svgPath.js';

interface Plot {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const SOILS: readonly [string[], ...string[][]] = [
  ['#d9a441', '#c96f3b', '#6d8a5a', '#2f5d50', '#e3cfa0', '#8c4a3c', '#a9b87a'],
  ['#e0b65a', '#557a76', '#b8563d', '#ddd0ae', '#2c4450', '#8fa69a', '#c98f5e'],
];

/** Draws gardens from above: plots are divided repeatedly, each with its own rows. */
export function Allotments({ random }: { random: Random }) {
  const soils = pickRandom(random, SOILS) as [string, ...string[]];
  const tilt = randomBetween(random, 5, 13) * (random() < 0.5 ? -1 : 1);
  const plots = dividePlot({ x: -110, y: -110, width: 620, height: 720 }, random);
  return (
    <>
      <rect {...SHEET} fill="#f1e8d4" />
      <g transform={`rotate(${tilt.toFixed(1)} 200 250)`}>
        {plots.map((plot) => (
          <g key={`${plot.x},${plot.y}`}>{renderPlot(plot, pickRandom(random, soils), random)}</g>
        ))}
      </g>
    </>
  );
}

function dividePlot(plot: Plot, random: Random): Plot[] {
  const long = Math.max(plot.width, plot.height);
  if (long < 72 || (long < 170 && random() < 0.3)) return [plot];
  const share = randomBetween(random, 0.34, 0.66);
  const { x, y, width, height } = plot;
  const halves: Plot[] =
    width > height
      ? [
          { ...plot, width: width * share },
          { ...plot, x: x + width * share, width: width * (1 - share) },
        ]
      : [
          { ...plot, height: height * share },
          { ...plot, y: y + height * share, height: height * (1 - share) },
        ];
  return halves.flatMap((half) => dividePlot(half, random));
}

function renderPlot(plot: Plot, soil: string, random: Random): ReactElement[] {
  const path = 2.4;
  const { x, y, width, height } = plot;
  const inner = { x: x + path, y: y + path, width: width - 2 * path, height: height - 2 * path };
  const ground = <rect key="ground" {...inner} rx={1.5} fill={soil} />;
  const ink = mixColors(soil, random() < 0.5 ? '#1d2b2a' : '#fbf4e2', 0.42);
  const crop = random();
  if (crop < 0.24) return [ground];
  const gap = randomBetween(random, 5, 9.5);
  const upright = random() < 0.5;
  const rows = Math.floor((upright ? inner.width : inner.height) / gap - 0.4);
  const beds = Array.from({ length: Math.max(rows, 1) }, (_, row) => {
    const at = (row + 0.8) * gap;
    return upright
      ? { x1: inner.x + at, x2: inner.x + at, y1: inner.y + 5, y2: inner.y + inner.height - 5 }
      : { y1: inner.y + at, y2: inner.y + at, x1: inner.x + 5, x2: inner.x + inner.width - 5 };
  });
  return [
    ground,
    <g
      key="crop"
      stroke={ink}
      strokeWidth={crop < 0.62 ? 1.7 : 3.2}
      strokeLinecap="round"
      strokeDasharray={crop < 0.62 ? undefined : `0 ${gap.toFixed(1)}`}
    >
      {beds.map((bed) => (
        <line key={`${bed.x1},${bed.y1}`} {...bed} />
      ))}
    </g>,
  ];
}
