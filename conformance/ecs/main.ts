import { createLogger, customSink, type EcsOptions } from '@apix/logx/core';
import { EcsFlat, EcsVersion } from '@elastic/ecs';
import { ECS_OBJECTS } from '../../libs/logx/src/encode/ecs-objects.js';
import { LOGGING_FIELDS } from './logging-fields.js';
import { OBJECTS, problemsIn } from './judge.js';
import { linesOfShop } from './drive.js';

const problems: string[] = [];

function judge(what: string, lines: readonly string[]): void {
  for (const line of lines) {
    for (const problem of problemsIn(line)) problems.push(`${what}: ${problem}: ${line.trim()}`);
  }
}

/** The kinds of events that the app must have written, by their templates. */
const KINDS = [
  '{Method} {Path} -> {Status}',
  '--> {Method} {Path}',
  'gRPC {Method} -> {Code}',
  'Host is {Phase}',
  'Startup task {Task} done after {ElapsedMs} ms',
  '{Count} items for {Customer}',
  'migrated to {Version}',
  'Service {Service} ended early and restarts in {DelayMs} ms, attempt {Attempt}',
  'Reload hook failed',
  'panic recovered: {Panic}',
  'swept',
] as const;

async function shop(what: string, ecs: EcsOptions): Promise<void> {
  const lines = await linesOfShop(ecs);
  judge(what, lines);
  const kinds = new Map<string, number>();
  const fields = new Set<string>();
  for (const line of lines) {
    const event = JSON.parse(line) as Readonly<Record<string, unknown>>;
    const kind = String(event['message_template.text']);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    for (const name of Object.keys(event)) if (name in EcsFlat) fields.add(name);
  }
  for (const kind of KINDS) if (!kinds.has(kind)) problems.push(`${what}: no event ${kind}`);
  for (const name of wanted(ecs)) {
    if (!fields.has(name)) problems.push(`${what}: no event has ${name}`);
  }
  console.log(
    `${what}: ${lines.length} events of ${kinds.size} kinds, ${fields.size} fields of ECS: ` +
      [...fields].toSorted().join(' '),
  );
}

function wanted({ requests }: EcsOptions): string[] {
  return [
    'error.type',
    'trace.id',
    'span.id',
    'user_agent.original',
    ...(requests ? ['http.response.status_code', 'url.path', 'event.duration'] : []),
  ];
}

/** A value of each kind under each name that ECS has an object for, wherever fields come from. */
function misplaced(): number {
  const lines: string[] = [];
  const sinks = [customSink({ write: (line) => void lines.push(line) }, { format: 'ecs' })];
  const logger = createLogger({ sinks, ecs: { requests: true, keepObjects: true } });
  for (const name of OBJECTS) {
    for (const value of ['a text', 7, true, ['x'], null, {}]) {
      const fields = { [name]: value, [`${name}_`]: value };
      logger.forContextValues(fields).information('x');
      logger.write({ level: 30, text: 'x', fields });
      logger.information(`{${name}}`, value);
    }
  }
  judge('misplaced', lines);
  return lines.length;
}

/** The judge itself, held against lines with one fault each. */
function judgeCanFail(): void {
  const line = '{"@timestamp":"2026-11-21T03:04:05Z","log.level":"info","ecs.version":"8.11.0"';
  const faults = [
    ['{"log.level":"info","ecs.version":"8.11.0"}', '@timestamp is missing'],
    [`${line},"message":"x"}`, 'message is not at 2'],
    [`${line},"user_agent":"curl"}`, 'user_agent is an object in ECS'],
    [`${line},"event.duration":"long"}`, 'event.duration is not a long'],
    [`${line},"http":{"request":"x"}}`, 'http.request is an object in ECS'],
    [`${line},"client.ip":"here"}`, 'client.ip is not a ip'],
    [`${line},"a":1,"a.b":2}`, 'a and a.b cannot both be'],
  ] as const;
  for (const [text, fault] of faults) {
    if (!problemsIn(`${text}\n`).includes(fault)) problems.push(`not found: ${fault}: ${text}`);
  }
}

judgeCanFail();
await shop('by default', {});
await shop('with every option', { requests: true, keepObjects: true });
const count = misplaced();
for (const name of OBJECTS) if (!ECS_OBJECTS.has(name)) problems.push(`our list lacks ${name}`);
for (const name of ECS_OBJECTS) if (!OBJECTS.has(name)) problems.push(`ECS has no object ${name}`);
for (const [name, { type }] of Object.entries(LOGGING_FIELDS)) {
  if (!(name in EcsFlat)) problems.push(`ECS has no field ${name} of type ${type}`);
}
console.log(
  `${count} events with values under the names of ${OBJECTS.size} objects of ECS ${EcsVersion}`,
);
for (const problem of problems.slice(0, 50)) console.error(`FAILED ${problem}`);
console.log(`${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
