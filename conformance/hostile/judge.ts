import { setTimeout as sleep } from 'node:timers/promises';
import type { AppProcess } from './app-process.js';
import type { Condition } from './questions.js';
import { GROWTH_MB, LIMIT_MS, type Row } from './row.js';
import type { Door, Site } from './site.js';

/** What became of a row at one door. */
export interface Verdict {
  readonly problems: readonly string[];
  readonly came: string;
  readonly seconds: number;
  /** The slowest answer that the second caller had meanwhile, in milliseconds. */
  readonly slowestMs: number;
  /** The longest time for which a loop was held, in milliseconds. */
  readonly heldMs: number;
  /** By how much the process that grew most was larger than before, in MB. */
  readonly grownMb: number;
}

/** Memory must be back to within this part of what it was, after collection. */
const BACK_WITHIN = 0.1;
/** How long connections may take to go, which hold memory until then, in milliseconds. */
const SETTLE_MS = 4_000;
/** Of calls of the second caller, which has several doors. */
const SPANS_OF_NEIGHBOUR = 8;
/** Time enough for a call of the second caller, where an attack was over at once. */
const NEIGHBOUR_MS = 100;
const MB = 2 ** 20;

/** Runs one row at one door. */
export async function judge(site: Site, row: Row, door: Door): Promise<Verdict> {
  if (row.fresh === true || site.isSpoilt) await site.restart();
  const before = await conditions(site);
  await site.callerReport();
  const begun = performance.now();
  const came = await within(row.limitMs ?? LIMIT_MS, row.attack(site, door)).catch(
    (error: unknown) => `nothing: ${String(error)}`,
  );
  const seconds = (performance.now() - begun) / 1_000;
  await sleep(NEIGHBOUR_MS);
  const problems = row.comes.test(came) ? [] : [`${came} came, and not ${String(row.comes)}`];
  const caller = await site.callerReport();
  problems.push(
    ...caller.failures.map((failure) => `the second caller was not served: ${failure}`),
  );
  if (caller.served === 0) problems.push('the second caller was not served at all');
  let [heldMs, grownMb] = [0, 0];
  for (const [name, app] of site.apps) {
    const after = await settled(app, before.get(name)!.inUse);
    if (typeof after === 'string') problems.push(`${name} ended with ${after}`);
    else {
      heldMs = Math.max(heldMs, after.heldMs);
      grownMb = Math.max(grownMb, (after.peakRss - before.get(name)!.rss) / MB);
      problems.push(...compare(name, row, before.get(name)!, after));
    }
  }
  for (const [name, log] of Object.entries(site.logs)) {
    log.forget();
    problems.push(
      ...log.bad.splice(0).map((line) => `${name} wrote a line that is no event: ${line}`),
    );
  }
  // What one row leaves behind must not become the fault of the next one.
  site.isSpoilt = problems.length > 0;
  return { problems, came, seconds, slowestMs: caller.slowestMs, heldMs, grownMb };
}

function compare(name: string, row: Row, before: Condition, after: Condition): string[] {
  const problems: string[] = [];
  const mb = (bytes: number): string => `${(bytes / MB).toFixed(1)} MB`;
  if (after.inUse > before.inUse * (1 + BACK_WITHIN)) {
    problems.push(`${name} keeps ${mb(after.inUse)} where it had ${mb(before.inUse)}`);
  }
  const grown = after.peakRss - before.rss;
  const limit = row.growthMb ?? GROWTH_MB;
  if (grown > limit * MB) problems.push(`${name} grew by ${mb(grown)}; ${limit} MB are allowed`);
  if (row.enters !== true && after.entered > before.entered) {
    problems.push('a handler for keepers alone has run');
  }
  if (after.openSpans > SPANS_OF_NEIGHBOUR)
    problems.push(`${name} has ${after.openSpans} spans without an end`);
  problems.push(...after.spanFaults.map((fault) => `${name} has a span with ${fault}`));
  if (after.polluted.length > 0) problems.push(`every object has ${after.polluted.join(', ')}`);
  return problems;
}

async function conditions(site: Site): Promise<ReadonlyMap<string, Condition>> {
  const all = site.apps.map(async ([name, app]) => [name, await app.condition()] as const);
  return new Map(await Promise.all(all));
}

/** How a process is once its memory is back, or in the end; or how the process ended. */
async function settled(app: AppProcess, inUse: number): Promise<Condition | string> {
  const end = performance.now() + SETTLE_MS;
  let worst: Condition | undefined;
  for (;;) {
    const now = await app.condition().catch(() => undefined);
    if (!app.isAlive) return app.end;
    if (now === undefined) return 'no answer to how it is';
    worst = {
      ...now,
      peakRss: Math.max(now.peakRss, worst?.peakRss ?? 0),
      heldMs: Math.max(now.heldMs, worst?.heldMs ?? 0),
    };
    const isBack = now.inUse <= inUse * (1 + BACK_WITHIN) && now.openSpans <= SPANS_OF_NEIGHBOUR;
    if (isBack || performance.now() > end) return worst;
    await sleep(100);
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing in ${ms / 1_000} s`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
