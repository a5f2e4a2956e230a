/** How large a package is for those who install it. */
export interface PackageSize {
  /** Bytes of the tarball. */
  readonly packed: number;
  /** Bytes of the files in it. */
  readonly unpacked: number;
  readonly files: number;
}

/** What a package may have grown by, and why. */
export interface SizeGrowth extends Partial<PackageSize> {
  readonly reason: string;
}

/** The size when it was last recorded whole, and what has been allowed since. */
export interface RecordedSize extends PackageSize {
  readonly grown?: readonly SizeGrowth[];
}

/** By the name of the package. */
export type Sizes = Readonly<Record<string, PackageSize>>;
export type SizeBudget = Readonly<Record<string, RecordedSize>>;

export const SIZES_FILE = 'tools/release/sizes.json';

/** A share of what is recorded that a package may be larger by: another zlib, a longer sentence in a README. */
const TOLERANCE = 0.05;
const UNITS = ['packed', 'unpacked', 'files'] as const;
const HOW = `add an entry to "grown" of the package in ${SIZES_FILE}, with what it grew by and a reason`;

/** What is larger than the budget allows, and what the budget says of no package: a line each. */
export function overBudget(sizes: Sizes, budget: SizeBudget): string[] {
  const grown = Object.entries(sizes).flatMap(([name, size]) => {
    const recorded = budget[name];
    if (recorded === undefined) {
      return [`${name}: no size is recorded; run npm run release -- --dry-run --record-sizes`];
    }
    return UNITS.filter(
      (unit) => size[unit] > Math.floor(allowed(recorded, unit) * (1 + TOLERANCE)),
    ).map(
      (unit) =>
        `${name}: ${said(size[unit], unit)}, the budget is ${said(allowed(recorded, unit), unit)} and 5 %; make it smaller, or ${HOW}`,
    );
  });
  const unexplained = Object.entries(budget).flatMap(([name, { grown: growths = [] }]) =>
    growths
      .filter(({ reason }) => typeof reason !== 'string' || reason.trim().length < 20)
      .map(() => `${name}: a growth in ${SIZES_FILE} gives no reason of at least 20 characters`),
  );
  const gone = Object.keys(budget)
    .filter((name) => !(name in sizes))
    .map((name) => `${name}: ${SIZES_FILE} has a size of it, but there is no such package`);
  return [...grown, ...unexplained, ...gone];
}

function allowed(recorded: RecordedSize, unit: keyof PackageSize): number {
  return (recorded.grown ?? []).reduce((sum, more) => sum + (more[unit] ?? 0), recorded[unit]);
}

function said(amount: number, unit: keyof PackageSize): string {
  return unit === 'files' ? `${amount} files` : `${amount} bytes ${unit}`;
}
