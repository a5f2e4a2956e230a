/** What a panel asks for: an expression of PromQL, and how a series of its answer is called. */
export interface Query {
  readonly expr: string;
  /** Such as `{{http_route}}`. */
  readonly legend: string;
}

export interface Panel {
  readonly title: string;
  /** For people who look at it for the first time. */
  readonly description: string;
  /** As Grafana names them: `s`, `reqps`, `bytes`, `short`, `percentunit`. */
  readonly unit: string;
  readonly queries: readonly Query[];
  /** A number that is shown as it is now, and no line. Default: false. */
  readonly stat?: boolean;
}

export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

/** What a chart of Grafana is drawn in, in columns of 24 and rows of 30 pixels. */
const COLUMNS = 24;
const WIDTH = 8;
const HEIGHT = 8;

const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };

/** Rows and their panels one after the other, three beside each other. */
export function laidOut(rows: readonly Row[]): readonly object[] {
  const made: object[] = [];
  let y = 0;
  let id = 0;
  for (const { title, panels } of rows) {
    id += 1;
    made.push(rowPanel(id, title, y));
    y += 1;
    for (const [index, panel] of panels.entries()) {
      const perLine = COLUMNS / WIDTH;
      const x = (index % perLine) * WIDTH;
      const line = Math.floor(index / perLine);
      id += 1;
      made.push({ id, gridPos: { h: HEIGHT, w: WIDTH, x, y: y + line * HEIGHT }, ...drawn(panel) });
    }
    y += Math.ceil(panels.length / (COLUMNS / WIDTH)) * HEIGHT;
  }
  return made;
}

function rowPanel(id: number, title: string, y: number): object {
  const gridPos = { h: 1, w: COLUMNS, x: 0, y };
  return { id, type: 'row', title, collapsed: false, panels: [], gridPos };
}

function drawn({ title, description, unit, queries, stat = false }: Panel): object {
  return {
    type: stat ? 'stat' : 'timeseries',
    title,
    description,
    datasource: DATASOURCE,
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        ...(!stat && { custom: { fillOpacity: 10, showPoints: 'never' } }),
      },
      overrides: [],
    },
    options: stat
      ? { reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false } }
      : {
          legend: { displayMode: 'list', placement: 'bottom', showLegend: true },
          tooltip: { mode: 'multi', sort: 'desc' },
        },
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode(65 + index),
      datasource: DATASOURCE,
      expr,
      legendFormat: legend,
      editorMode: 'code',
      range: true,
      instant: false,
    })),
  };
}
