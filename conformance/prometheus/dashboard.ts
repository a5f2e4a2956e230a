import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Binaries, Prometheus, until } from './prometheus.js';

/** What is chosen where Grafana asks a person. */
const CHOICES: Readonly<Record<string, string>> = {
  $__rate_interval: '10s',
  $instance: '.*',
  $job: 'dashboard',
};

/** Labels of what the app does not have: it has no sink for Elasticsearch. */
const ABSENT: ReadonlySet<string> = new Set(['index']);

interface Asked {
  readonly panel: string;
  readonly expr: string;
  /** Those by which the panel calls its series. */
  readonly labels: readonly string[];
}

/** Has every panel of the dashboard asked while an app that has everything is called. */
export async function dashboardAnswers(
  { url, port, binaries, folder }: DashboardSubject,
  checked: (what: string) => void,
): Promise<void> {
  const own = join(folder, 'dashboard');
  mkdirSync(own);
  const prometheus = await Prometheus.start(binaries, own, port, { dashboard: new URL(url).host });
  const traffic = new AbortController();
  const calling = call(url, traffic.signal);
  const missing: string[] = [];
  try {
    const asked = queries().map(({ panel, expr, labels }) =>
      until(expr, () => hasData(prometheus, expr, labels)).then(
        () => checked(`the panel "${panel}" shows something for ${expr}`),
        () => void missing.push(`${panel}: ${expr}`),
      ),
    );
    await Promise.all(asked);
  } finally {
    traffic.abort();
    await calling;
    await prometheus.stop();
  }
  if (missing.length > 0) throw new Error(`without data:\n  ${missing.join('\n  ')}`);
}

export interface DashboardSubject {
  /** Of the app's HTTP server. */
  readonly url: string;
  /** For Prometheus. */
  readonly port: number;
  readonly binaries: Binaries;
  readonly folder: string;
}

/** What all panels ask for, with the variables filled in. */
function queries(): readonly Asked[] {
  const { panels } = JSON.parse(readFileSync('libs/otel/dashboards/apix.json', 'utf8')) as {
    readonly panels: readonly {
      title: string;
      targets?: readonly { expr: string; legendFormat: string }[];
    }[];
  };
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({
      panel: title,
      labels: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!),
      expr: Object.entries(CHOICES).reduce(
        (text, [name, value]) => text.replaceAll(name, value),
        expr,
      ),
    })),
  );
}

async function hasData(
  prometheus: Prometheus,
  expr: string,
  labels: readonly string[],
): Promise<boolean> {
  const series = await prometheus.query(expr);
  const wanted = labels.filter((label) => !ABSENT.has(label));
  return series.some(
    ({ value, labels: has }) => Number.isFinite(value) && wanted.every((label) => has[label]),
  );
}

/** Requests that are answered, refused and failed, by HTTP, REST and gRPC, one after the other. */
async function call(url: string, signal: AbortSignal): Promise<void> {
  const paths = ['/list', '/broken', '/v1/products'];
  while (!signal.aborted) {
    for (const path of paths) await (await fetch(url + path)).arrayBuffer();
    const headers = { 'content-type': 'application/json' };
    await (
      await fetch(`${url}/v1/products`, { method: 'POST', headers, body: '{}' })
    ).arrayBuffer();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
