import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { SCHEMA_VERSION, dashboardJson } from './dashboard.js';

interface GridPosition {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

interface DrawnPanel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: GridPosition;
  readonly datasource?: { readonly uid: string };
  readonly targets?: readonly { readonly expr: string; readonly refId: string }[];
}

const path = fileURLToPath(new URL('../../../libs/otel/dashboards/apix.json', import.meta.url));
const dashboard = JSON.parse(readFileSync(path, 'utf8')) as {
  readonly schemaVersion: number;
  readonly panels: readonly DrawnPanel[];
  readonly templating: { readonly list: readonly { readonly name: string }[] };
};
const charts = dashboard.panels.filter(({ type }) => type !== 'row');

const overlap = (a: GridPosition, b: GridPosition): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

describe('the dashboard', () => {
  it('is what is generated, of the version of the schema that it says', () => {
    expect(readFileSync(path)).toEqual(dashboardJson());
    expect(dashboard.schemaVersion).toBe(SCHEMA_VERSION);
  });

  it('has no panel without a title, a query and a data source that can be chosen', () => {
    expect(charts.length).toBeGreaterThan(20);
    for (const { title, targets = [], datasource, type } of charts) {
      expect(['timeseries', 'stat']).toContain(type);
      expect(title).not.toBe('');
      expect(datasource).toMatchObject({ uid: '${datasource}' });
      expect(targets.length).toBeGreaterThan(0);
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
    }
  });

  it('asks for the chosen processes alone', () => {
    const expressions = charts.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(
      expressions.filter((expr) => !expr.includes('job=~"$job",instance=~"$instance"')),
    ).toEqual([]);
    expect(dashboard.templating.list.map(({ name }) => name)).toEqual([
      'datasource',
      'job',
      'instance',
    ]);
  });

  it('has its panels beside each other, each with a number of its own', () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const pairs = panels.flatMap((a, i) => panels.slice(i + 1).map((b) => [a, b] as const));
    expect(pairs.filter(([a, b]) => overlap(a.gridPos, b.gridPos))).toEqual([]);
    expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });
});
