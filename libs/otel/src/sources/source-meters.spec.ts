import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { unreadableValues } from '@apix/contracts/testing';
import { METRIC_SOURCE, type MetricReading, type MetricSource } from '@apix/contracts';
import { diag } from '@opentelemetry/api';
import { prometheusHandler } from '../prometheus/prometheus-handler.js';
import { scrape } from '../scrape.fixture.js';
import { SourceMeters } from './source-meters.js';

function sourceOf(...readings: Partial<MetricReading>[]): MetricSource {
  return {
    [METRIC_SOURCE]: true,
    metrics: () =>
      readings.map((reading) => ({
        name: 'apix.calls',
        kind: 'counter',
        value: 1,
        description: 'Calls',
        ...reading,
      })),
  };
}

describe('the meters of metric sources', () => {
  const complaints: string[] = [];
  beforeEach(() => {
    const ignore = (): void => {};
    const error = (message: string): unknown => complaints.push(message);
    diag.setLogger({ error, warn: ignore, info: ignore, debug: ignore, verbose: ignore });
    complaints.length = 0;
  });
  afterEach(() => diag.disable());

  const metered = (...sources: MetricSource[]) => {
    const { handler, meterProvider } = prometheusHandler();
    const meters = new SourceMeters(() => sources, {
      meterProvider,
      except: new Set(['hostx.host.up']),
    });
    return { meters, sources, samples: () => scrape(handler) };
  };

  it('report counters and gauges, as they are at each scrape', async () => {
    let value = 3;
    const { samples } = metered({
      [METRIC_SOURCE]: true,
      *metrics() {
        const attributes = { outcome: 'allowed' };
        yield { name: 'apix.decisions', kind: 'counter', value, description: '', attributes };
        yield { name: 'apix.active', kind: 'gauge', value: -value, description: '' };
      },
    });
    expect(await samples()).toMatchObject({
      'apix_decisions_total{outcome="allowed"}': 3,
      apix_active: -3,
    });
    value = 5;
    expect(await samples()).toMatchObject({
      'apix_decisions_total{outcome="allowed"}': 5,
      apix_active: -5,
    });
  });

  it('report a name that comes up later from the next collection on, after refresh at once', async () => {
    const { meters, sources, samples } = metered(sourceOf({ value: 1 }));
    sources.push(sourceOf({ name: 'apix.late', value: 2 }));
    expect(await samples()).not.toHaveProperty('apix_late_total');
    expect(await samples()).toHaveProperty('apix_late_total', 2);
    sources.push(sourceOf({ name: 'apix.later', value: 3 }));
    meters.refresh();
    expect(await samples()).toMatchObject({ apix_calls_total: 1, apix_later_total: 3 });
  });

  it('leave out what another one records, and what is no number', async () => {
    const { samples } = metered(
      sourceOf({ name: 'hostx.host.up', kind: 'gauge' }, { name: 'apix.nan', value: NaN }),
    );
    expect(Object.keys(await samples()).filter((name) => !name.startsWith('target_'))).toEqual([]);
  });

  it('lose nothing by a source that throws, name it once, and have a metric of it', async () => {
    let failures = 0;
    let isBroken = true;
    class Stock implements MetricSource {
      metrics() {
        if (isBroken) throw new Error(`not yet ${(failures += 1)}`);
        return [];
      }
    }
    const { samples } = metered(new Stock(), sourceOf({ value: 7 }));
    await samples();
    const failed = 'apix_otel_source_failed{source="Stock"}';
    expect(await samples()).toMatchObject({ apix_calls_total: 7, [failed]: 1 });
    expect(failures).toBeGreaterThan(1);
    isBroken = false;
    expect(await samples()).toMatchObject({ apix_calls_total: 7, [failed]: 0 });
    expect(complaints).toEqual([
      'otel: the metric source Stock failed, its metrics are left out while it does: not yet 1',
    ]);
  });

  it.each(unreadableValues())('lose nothing by a source that throws %s', async (_, thrown) => {
    const broken: MetricSource = {
      metrics() {
        throw thrown as Error;
      },
    };
    const { samples } = metered(broken, sourceOf({ value: 7 }));
    expect(await samples()).toHaveProperty('apix_calls_total', 7);
    expect(complaints).toEqual([
      expect.stringMatching(/^otel: the metric source number 1 failed, .*: ./),
    ]);
  });

  it.each<[string, object]>([
    ['without a name', { name: undefined }],
    ['with a symbol for a name', { name: Symbol('wild') }],
    ['of an unknown kind', { name: 'apix.wild', kind: 'histogram' }],
    ['with a symbol for a description', { name: 'apix.wild', description: Symbol('wild') }],
    ['with a unit that is not a string', { name: 'apix.wild', unit: 7 }],
    [
      'with attributes that throw',
      { name: 'apix.wild', attributes: new Proxy({}, { ownKeys: () => JSON.parse('{') as [] }) },
    ],
  ])('lose nothing by a reading %s that a source has later', async (_, wild) => {
    const { samples, sources } = metered(sourceOf({ value: 7 }));
    expect(await samples()).toHaveProperty('apix_calls_total', 7);
    sources.unshift({
      metrics: () => [{ name: 'apix.wild', kind: 'gauge', value: 1, description: '', ...wild }],
    });
    for (const seen of [await samples(), await samples()]) {
      expect(seen).toHaveProperty('apix_calls_total', 7);
      expect(seen).not.toHaveProperty('apix_wild');
    }
    expect(complaints).toEqual([
      expect.stringMatching(/^otel: the metric source number 1 failed, .*: ./),
    ]);
  });

  it('keep a name of two kinds as what it was first', async () => {
    const { samples } = metered(sourceOf({ value: 1 }), sourceOf({ kind: 'gauge', value: 9 }));
    expect(await samples()).toHaveProperty('apix_calls_total', 1);
    expect(complaints).toEqual([
      'otel: the metric apix.calls is a counter, but a source reports a gauge',
    ]);
  });

  it('read nothing after stop', async () => {
    let reads = 0;
    const { meters, samples } = metered({
      [METRIC_SOURCE]: true,
      metrics: () => sourceOf({ value: ++reads }).metrics(),
    });
    await samples();
    const before = reads;
    meters.stop();
    await samples();
    expect([before > 0, reads]).toEqual([true, before]);
  });
});
