import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadOf } from '../drain/load.js';
import { Parent } from './parent.js';
import { ask, DRAIN_MS, keepAlive, type Result, watchUsage } from './rolls.js';

const CLIENTS = 16;

/**
 * Scrapes an app under load, restarts and kills: no count ever falls, and without kills the sum is what the
 * load has counted. With kills it may lack what the killed process has counted within the last second.
 */
export async function countScenario(options: {
  readonly rolls: number;
  readonly kills: number;
  readonly thinkMs: number;
}): Promise<Result> {
  const problems: string[] = [];
  const parent = await Parent.start({ platform: 'counting', way: 'hostx', drainMs: DRAIN_MS });
  const { http } = parent.ports;
  const usage = watchUsage(parent);
  const scraper = new Scraper(http, problems);
  const scraping = scraper.run();

  const rolled = loadOf(keepAlive(http, CLIENTS), options.thinkMs);
  for (let roll = 0; roll < options.rolls; roll++) await parent.restart();
  await rolled.finish();
  const sum = await scraper.scrape();
  const { answered, failed } = rolled.tally;
  if (sum !== answered) problems.push(`counted ${sum} of ${answered} requests`);
  if (failed > 0) problems.push(`${failed} lost: ${rolled.tally.reasons()}`);

  const killed = loadOf(keepAlive(http, CLIENTS), options.thinkMs);
  for (let kill = 0; kill < options.kills; kill++) {
    await parent.kill();
    await sleep(300);
  }
  await killed.finish();
  const afterKills = await scraper.scrape();
  const most = answered + killed.tally.answered + killed.tally.failed;
  if (afterKills > most) problems.push(`counted ${afterKills} of ${most} requests`);
  scraper.stop();
  await scraping;
  const said = usage();
  await parent.stop();
  return {
    restarts: options.rolls + options.kills,
    answered: answered + killed.tally.answered,
    lost: failed,
    moved: 0,
    parent: said.text,
    problems,
    reasons: `${scraper.scrapes} scrapes; ${most - afterKills} of ${most} requests not counted after ${options.kills} kills`,
  };
}

class Scraper {
  readonly #port: number;
  readonly #problems: string[];
  readonly #latest = new Map<string, number>();
  #isOver = false;
  scrapes = 0;

  constructor(port: number, problems: string[]) {
    this.#port = port;
    this.#problems = problems;
  }

  async run(): Promise<void> {
    while (!this.#isOver) {
      await this.scrape();
      await sleep(50);
    }
  }

  stop(): void {
    this.#isOver = true;
  }

  /** Scrapes whichever process accepts, and resolves with what all have counted. */
  async scrape(): Promise<number> {
    const text = await ask(this.#port, new Agent(), '/metrics');
    // A process may be killed while it answers.
    if (!text.includes('hits_total')) return this.#latest.get('hits_total') ?? 0;
    this.scrapes += 1;
    for (const [, name = '', value] of text.matchAll(
      /^(hits_total|sizes_\w+(?:\{.*\})?) (\d+)$/gm,
    )) {
      const before = this.#latest.get(name) ?? 0;
      if (Number(value) < before) this.#problems.push(`${name} fell from ${before} to ${value}`);
      this.#latest.set(name, Number(value));
    }
    return this.#latest.get('hits_total') ?? 0;
  }
}
