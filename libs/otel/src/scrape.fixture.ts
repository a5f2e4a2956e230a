import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MetricsHandler } from './prometheus/prometheus-handler.js';

/** Lets a function talk to a handler over a real socket. */
export async function served<T>(
  handler: MetricsHandler,
  use: (url: string) => Promise<T>,
): Promise<T> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** The samples of a scrape, `name{labels}` to value; without the label of the scope. */
export function samplesOf(text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const [, sample, value] = /^(.*) (\S+)$/.exec(line)!;
      return [
        sample!
          .replace(/,?otel_scope_name="[^"]*"/, '')
          .replace('{}', '')
          .replace('{,', '{'),
        Number(value),
      ];
    }),
  );
}

/** The samples that a handler serves now. */
export function scrape(handler: MetricsHandler): Promise<Record<string, number>> {
  return served(handler, async (url) => samplesOf(await (await fetch(url)).text()));
}
