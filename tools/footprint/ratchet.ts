import type { Footprints } from './report.js';
import { functionsOf } from './report.js';

/** How long a path is. */
export interface PathLength {
  readonly files: number;
  readonly functions: number;
}

/** A change that made a path longer, and the reason for it. */
export interface Growth extends PathLength {
  readonly reason: string;
}

/** What is recorded of one path: its length when it was last recorded whole, and what it has grown by since. */
export interface RecordedPath extends PathLength {
  readonly grown?: readonly Growth[];
}

/** What runs by chance, such as a timer that was due: a share of what is recorded. */
const CHANCE = 0.02;

export type RecordedPaths = Readonly<Record<string, RecordedPath>>;

/** What keeps the measured paths from being as short as recorded: a line each. */
export function longerPaths(footprints: Footprints, recorded: RecordedPaths): readonly string[] {
  return [...footprints].flatMap(([action, files]) => {
    const path = recorded[action];
    if (path === undefined) return [`${action}: nothing is recorded; add it to footprint.json`];
    const allowed = allowedOf(path);
    const measured = { files: files.length, functions: functionsOf(files) };
    return (['files', 'functions'] as const)
      .filter((unit) => measured[unit] > Math.floor(allowed[unit] * (1 + CHANCE)))
      .map((unit) => `${action}: ${measured[unit]} ${unit}, recorded are ${allowed[unit]}`)
      .concat(unexplained(action, path));
  });
}

/** The lengths as measured, which takes the place of what each path has grown by. */
export function recordOf(footprints: Footprints): RecordedPaths {
  return Object.fromEntries(
    [...footprints].map(([action, files]) => [
      action,
      { files: files.length, functions: functionsOf(files) },
    ]),
  );
}

function allowedOf({ files, functions, grown = [] }: RecordedPath): PathLength {
  return grown.reduce(
    (sum, growth) => ({
      files: sum.files + growth.files,
      functions: sum.functions + growth.functions,
    }),
    { files, functions },
  );
}

function unexplained(action: string, { grown = [] }: RecordedPath): string[] {
  return grown
    .filter(({ reason }) => typeof reason !== 'string' || reason.trim().length < 20)
    .map(() => `${action}: a growth in footprint.json gives no reason`);
}
