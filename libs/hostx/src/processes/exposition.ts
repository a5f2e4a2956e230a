/** A metric of the text format of Prometheus, with its samples in their order. */
interface Family {
  /** The lines `# HELP` and `# TYPE`. */
  readonly head: readonly string[];
  readonly type: string;
  /** By name and labels, as they were written. */
  readonly samples: Map<string, number>;
}

/** Figures in the text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats). */
export type Exposition = Map<string, Family>;

const HEAD = /^# (HELP|TYPE) (\S+) ?(.*)$/;

/** A name, labels whose quoted values may contain anything, and a value; a time stamp is dropped. */
const SAMPLE = /^([^\s{]+)((?:\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\})?)\s+(\S+)/;

/** Reads the text; lines that are neither comments nor samples are left out. */
export function readExposition(text: string): Exposition {
  const found: Exposition = new Map();
  let head: { readonly name: string; readonly lines: string[] } = { name: '', lines: [] };
  let name = '';
  for (const line of text.split('\n')) {
    const comment = HEAD.exec(line);
    const sample = line.startsWith('#') ? null : SAMPLE.exec(line);
    if (comment !== null) {
      const [, kind, about = '', rest = ''] = comment;
      if (head.name !== about) head = { name: about, lines: [] };
      head.lines.push(line);
      if (kind !== 'TYPE') continue;
      name = about;
      found.set(name, { head: head.lines, type: rest.trim(), samples: new Map() });
    } else if (sample !== null) {
      const [, own = '', labels = '', value = ''] = sample;
      if (!belongs(own, name)) {
        name = own;
        if (!found.has(name)) found.set(name, { head: [], type: 'untyped', samples: new Map() });
      }
      found.get(name)!.samples.set(own + labels, numberOf(value));
    }
  }
  return found;
}

function belongs(sample: string, family: string): boolean {
  if (family === '' || !sample.startsWith(family)) return false;
  return /^(_(bucket|sum|count))?$/.test(sample.slice(family.length));
}

function numberOf(text: string): number {
  if (text === '+Inf') return Infinity;
  return text === '-Inf' ? -Infinity : Number(text);
}

/** Counts that are added up over processes; all other figures are those of one process. */
function isSummed(type: string, sample: string): boolean {
  if (type === 'summary') return /^[^{]*_(sum|count)(\{|$)/.test(sample);
  return type === 'counter' || type === 'histogram';
}

/** Adds the counts of `from` to `into`, and its other figures under the label `process`; null leaves those out. */
export function addExposition(into: Exposition, from: Exposition, process: string | null): void {
  for (const [name, { head, type, samples }] of from) {
    let family = into.get(name);
    if (family === undefined) {
      family = { head, type, samples: new Map() };
      into.set(name, family);
    }
    for (const [sample, value] of samples) {
      if (isSummed(type, sample)) {
        family.samples.set(sample, (family.samples.get(sample) ?? 0) + value);
      } else if (process !== null) family.samples.set(labelled(sample, process), value);
    }
  }
}

function labelled(sample: string, process: string): string {
  const at = sample.indexOf('{');
  const label = `process="${process}"`;
  if (at === -1) return `${sample}{${label}}`;
  const rest = sample.slice(at + 1);
  return `${sample.slice(0, at)}{${label}${rest.startsWith('}') ? '' : ','}${rest}`;
}

export function writeExposition(exposition: Exposition): string {
  const lines: string[] = [];
  for (const { head, samples } of exposition.values()) {
    if (samples.size === 0) continue;
    lines.push(...head);
    for (const [sample, value] of samples) lines.push(`${sample} ${textOf(value)}`);
  }
  return lines.map((line) => `${line}\n`).join('');
}

function textOf(value: number): string {
  if (Number.isFinite(value) || Number.isNaN(value)) return String(value);
  return value > 0 ? '+Inf' : '-Inf';
}
