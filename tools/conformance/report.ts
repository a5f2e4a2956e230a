import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Where `npm run conformance:all` writes its report, from the root of the repository. */
export const REPORT_FILE = 'dist/conformance/report.json';

/** How one bed ended. */
export interface BedResult {
  /** The npm script. */
  readonly name: string;
  readonly verdict: 'passed' | 'failed' | 'skipped';
  readonly seconds: number;
  /** The last line that it printed; of a skipped bed, the reason. */
  readonly last: string;
}

/** What all beds said of one commit. */
export interface ConformanceReport {
  readonly commit: string;
  /** Whether something was changed and not committed while a bed ran. */
  readonly isChanged: boolean;
  readonly node: string;
  readonly results: readonly BedResult[];
}

const ALONE = ['soak', 'site:check', 'test:nest11', 'test:nodes'];
const ALL = 'conformance:all';

/** The scripts of a package.json that are beds, in its order, and the longest last. */
export function bedsOf(scripts: Readonly<Record<string, string>>): string[] {
  const names = Object.keys(scripts);
  return [
    ...names.filter((name) => name.startsWith('conformance:') && name !== ALL),
    ...ALONE.filter((name) => names.includes(name)).toReversed(),
  ];
}

/** What is asked for, by whole names or without `conformance:`. Throws where there is no such bed. */
export function chosenBeds(beds: readonly string[], asked: readonly string[]): string[] {
  const names = asked.map((one) => (beds.includes(one) ? one : `conformance:${one}`));
  const unknown = asked.filter((_, index) => !beds.includes(names[index]!));
  if (unknown.length > 0) {
    throw new Error(
      `conformance: there is no bed ${unknown.join(', ')}; npm run ${ALL} -- --list prints them`,
    );
  }
  return beds.filter((bed) => names.includes(bed));
}

/** What an ended bed's status and output say. A bed that cannot run here prints `skipped: …` last and ends with 0. */
export function resultOf(
  name: string,
  status: number | null,
  output: string,
  seconds: number,
): BedResult {
  const last = lastLineOf(output);
  if (status !== 0) return { name, verdict: 'failed', seconds, last };
  const [, reason] = /^skipped:\s*(.+)$/i.exec(last) ?? [];
  return reason === undefined
    ? { name, verdict: 'passed', seconds, last }
    : { name, verdict: 'skipped', seconds, last: reason };
}

/** The report with further results. Those of another commit, or of changed files, are dropped. */
export function withResults(
  before: ConformanceReport | undefined,
  now: ConformanceReport,
): ConformanceReport {
  if (before === undefined || before.commit !== now.commit || before.isChanged || now.isChanged) {
    return now;
  }
  const names = now.results.map(({ name }) => name);
  const kept = before.results.filter(({ name }) => !names.includes(name));
  return { ...now, results: [...kept, ...now.results] };
}

/** Undefined if there is none. */
export function readReport(root: string): ConformanceReport | undefined {
  const file = join(root, REPORT_FILE);
  if (!existsSync(file)) return undefined;
  return JSON.parse(readFileSync(file, 'utf8')) as ConformanceReport;
}

/** What a report lacks for a release of a commit: a line each. */
export function reportObstacles(
  report: ConformanceReport | undefined,
  commit: string,
  beds: readonly string[],
): string[] {
  if (report === undefined) return [`there is no ${REPORT_FILE}: run npm run ${ALL}`];
  if (report.commit !== commit) {
    return [`${REPORT_FILE} is of commit ${report.commit}, not ${commit}: run npm run ${ALL}`];
  }
  if (report.isChanged) {
    return [`${REPORT_FILE} was made with uncommitted changes: run npm run ${ALL} without them`];
  }
  const { results } = report;
  const missing = beds.filter((bed) => !results.some(({ name }) => name === bed));
  return [
    ...(missing.length > 0
      ? [`${REPORT_FILE} lacks ${missing.join(', ')}: run npm run ${ALL}, or each with --only`]
      : []),
    ...results
      .filter(({ name, verdict }) => verdict === 'failed' && beds.includes(name))
      .map(({ name, last }) => `${name} failed: ${last}`),
  ];
}

/** One line for each bed, and one with the counts. */
export function tableOf(results: readonly BedResult[]): string {
  const width = Math.max(4, ...results.map(({ name }) => name.length));
  const lines = results.map(
    ({ name, verdict, seconds, last }) =>
      `${verdict.padEnd(7)}  ${name.padEnd(width)}  ${String(Math.round(seconds)).padStart(6)} s  ${shortened(last)}`,
  );
  const count = (verdict: BedResult['verdict']): number =>
    results.filter((one) => one.verdict === verdict).length;
  const counts = `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`;
  return [...lines, counts].join('\n');
}

function lastLineOf(output: string): string {
  const lines = stripVTControlCharacters(output)
    .split(/\r?\n/)
    .map((line) => line.trim());
  return lines.findLast((line) => line !== '') ?? '';
}

function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}
