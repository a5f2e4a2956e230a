import type { AppFacts } from '../app/app-facts.js';
import { type AppFiles, sameText } from '../app/app-files.js';
import { ALL_PARTS, PARTS, type Part } from '../app/parts.js';
import { type ModuleShape, apixModule, moduleShapeOf } from '../texts/apix-module.js';
import { firstController, CALLER } from '../texts/app-texts.js';
import { FIRST_PROTO } from '../texts/proto-texts.js';
import { AppSources } from './app-sources.js';
import { isNewApp } from './new-app.js';
import type { Obstacle } from './obstacle.js';
import { obstacleTo } from './obstacles.js';
import { protosOf } from './protos.js';

/** What is added to an app, and what is not. */
export interface Plan extends ModuleShape {
  readonly isNew: boolean;
  readonly leftOut: ReadonlyMap<Part, Obstacle>;
  /** The team has changed ApixModule since it was written: it stays as it is. */
  readonly isKept: boolean;
}

/** What the parts need of each other: a server without what enforces its policies does not start. */
const NEEDS: Partial<Record<Part, readonly Part[]>> = {
  grpc: ['proto', 'authz', 'hostx'],
  gateway: ['grpc'],
};

const PROTO_PARTS = ['proto', 'grpc', 'gateway'] as const;

export function planFor(files: AppFiles, facts: AppFacts): Plan {
  const { sourceRoot } = facts;
  const sources = new AppSources(files, sourceRoot);
  const before = files.text(`${sourceRoot}/apix.module.ts`);
  const present = before === undefined ? undefined : moduleShapeOf(before);
  const isNew = isNewApp(files, facts, sources);
  const { parts, leftOut } = carried(files, facts, sources, present?.parts);
  const hasFirstService = present?.hasFirstService ?? getsFirstService(files, facts, parts);
  if (!hasFirstService && protosOf(files).inFolder.length === 0) {
    for (const part of PROTO_PARTS.filter((each) => parts.delete(each))) {
      const why = 'there is no .proto file below proto/';
      leftOut.set(part, { why, remedy: 'write one' });
    }
  }
  const shape: ModuleShape = {
    isClosed: present?.isClosed ?? isNew,
    caller: present?.caller ?? callerOf(files, facts),
    grpcPort: present?.grpcPort ?? freePort(sources),
    parts,
    hasFirstService,
  };
  const isKept = present !== undefined && !sameText(before ?? '', apixModule(facts, present));
  if (!isKept) return { ...shape, isNew, leftOut, isKept };
  const why = `${sourceRoot}/apix.module.ts was changed, and is left as it is`;
  for (const part of [...parts].filter((each) => !present.parts.has(each))) {
    leftOut.set(part, { why });
  }
  return { ...present, isNew, leftOut, isKept };
}

/** The parts that are there or can be added, and the others. */
function carried(
  files: AppFiles,
  facts: AppFacts,
  sources: AppSources,
  present: ReadonlySet<Part> | undefined,
): { parts: Set<Part>; leftOut: Map<Part, Obstacle> } {
  const parts = new Set(present);
  const leftOut = new Map<Part, Obstacle>();
  const has = (part: Part): boolean => parts.has(part) || leftOut.get(part)?.isThere === true;
  for (const part of ALL_PARTS.filter((each) => !parts.has(each))) {
    const obstacle = obstacleTo(part, files, facts, sources) ?? missingNeed(part, has);
    if (obstacle === undefined) parts.add(part);
    else leftOut.set(part, obstacle);
  }
  return { parts, leftOut };
}

function missingNeed(part: Part, has: (need: Part) => boolean): Obstacle | undefined {
  const missing = NEEDS[part]?.find((need) => !has(need));
  return missing && { why: `it needs ${PARTS[missing]}`, remedy: `have ${PARTS[missing]} first` };
}

/** An app that has its own .proto files does not get it, nor one with another controller in its place. */
function getsFirstService(files: AppFiles, facts: AppFacts, parts: ReadonlySet<Part>): boolean {
  const first = firstController(facts);
  const present = files.text(`${facts.sourceRoot}/hello/greeter.controller.ts`) ?? first;
  return (
    parts.has('grpc') &&
    protosOf(files).inFolder.every((path) => path === FIRST_PROTO) &&
    sameText(present, first)
  );
}

/** Another file of the app may have the name. */
function callerOf(files: AppFiles, { sourceRoot }: AppFacts): string {
  return sameText(files.text(`${sourceRoot}/caller.ts`) ?? CALLER, CALLER)
    ? 'caller'
    : 'apix-caller';
}

/** The usual port, or the next one that no source names: another service may have it. */
function freePort(sources: AppSources): number {
  let port = 50_051;
  while (sources.fileWith(new RegExp(`\\b${port}\\b`)) !== undefined) port++;
  return port;
}
