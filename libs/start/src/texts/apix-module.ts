import { type AppFacts, importPath } from '../app/app-facts.js';
import { ALL_PARTS, PARTS, type Part } from '../app/parts.js';

/** What one ApixModule has that another may not have. */
export interface ModuleShape {
  readonly parts: ReadonlySet<Part>;
  /** Whether what has no policy is closed, as in a new app. */
  readonly isClosed: boolean;
  readonly hasFirstService: boolean;
  /** The file that identifies callers, without extension. */
  readonly caller: string;
  readonly grpcPort: number;
}

/** The shape of an ApixModule, as far as its text shows. */
export function moduleShapeOf(text: string): ModuleShape {
  return {
    parts: new Set(ALL_PARTS.filter((part) => text.includes(`${PARTS[part]}.`))),
    isClosed: text.includes("unannotated: 'deny'"),
    hasFirstService: text.includes('GreeterController'),
    caller: /\bcaller\b.*from ['"]\.\/([\w-]+)/.exec(text)?.[1] ?? 'caller',
    grpcPort: Number(/\? 0 : (\d+)/.exec(text)?.[1] ?? 50_051),
  };
}

/** The module that imports everything else. */
export function apixModule(facts: AppFacts, shape: ModuleShape): string {
  const { parts, hasFirstService, caller } = shape;
  const chosen = ALL_PARTS.filter((part) => parts.has(part));
  const imports = [
    ...chosen
      .map((part) => `import { ${namesFrom(part, shape)} } from '@apix/${part}';`)
      .toSorted(bySource),
    "import { Module } from '@nestjs/common';",
    ...(parts.has('authz')
      ? [`import { caller } from '${importPath(`./${caller}`, facts)}';`]
      : []),
    ...(hasFirstService
      ? [`import { GreeterController } from '${importPath('./hello/greeter.controller', facts)}';`]
      : []),
  ];
  const entries = chosen.map((part) => `    ${entryOf(part, facts, shape)},\n`);
  return `${imports.join('\n')}

@Module({
  imports: [
${entries.join('')}  ],
  controllers: [${hasFirstService ? 'GreeterController' : ''}],
})
export class ApixModule {}
`;
}

/** What is imported from the package of a part. */
function namesFrom(part: Part, shape: ModuleShape): string {
  const names = [PARTS[part]];
  if (logsDecisions(shape) && part === 'authz') names.push('decisionFields');
  if (logsDecisions(shape) && part === 'logx') names.unshift('addToRequest');
  return names.join(', ');
}

function bySource(one: string, other: string): number {
  const sourceOf = (line: string): string => line.slice(line.indexOf(' from '));
  return sourceOf(one) < sourceOf(other) ? -1 : 1;
}

/** Whether the event of a request says why it was denied. */
function logsDecisions({ parts }: Pick<ModuleShape, 'parts'>): boolean {
  return parts.has('authz') && parts.has('logx');
}

const ON_DECISION = `
        // The event of a request says who called, and why a call was denied.
        onDecision: (decision, call) => addToRequest(decisionFields(decision), call),`;

/** The entry of a part in the imports of ApixModule. */
export function entryOf(
  part: Part,
  { rootModule }: Pick<AppFacts, 'rootModule'>,
  { isClosed, grpcPort, parts }: Pick<ModuleShape, 'isClosed' | 'grpcPort' | 'parts'>,
): string {
  const onDecision = logsDecisions({ parts }) ? ON_DECISION : '';
  const first = rootModule?.name.replace(/Module$/, '') ?? 'App';
  return {
    proto: "ProtoModule.forRoot({ descriptors: 'gen/api.binpb', sources: 'proto' })",
    logx: `LogxModule.forRoot({
      timeFormat: 'TimeRFC3339Ms',
      probes: 'debug',
      // For people at a terminal, JSON elsewhere.
      sinks: [{ type: 'console', format: 'auto' }],
    })`,
    authz: isClosed
      ? `AuthzModule.forRootAsync({
      useFactory: () => ({
        subject: caller(),
        // Methods and routes without a policy are closed, except those that exempt names.
        unannotated: 'deny',
        exempt: ['${first}Controller.*'],${onDecision}
      }),
    })`
      : `AuthzModule.forRootAsync({
      useFactory: () => ({
        subject: caller(),
        // Methods and routes without a policy are open, and listed at the start; 'deny' closes them.
        unannotated: 'allow',${onDecision}
      }),
    })`,
    hostx: 'HostxModule.forRoot()',
    grpc: `GrpcModule.forRootAsync({
      // Tests run side by side, each on a free port.
      useFactory: ({ GRPC_PORT, NODE_ENV } = process.env) => ({
        port: Number(GRPC_PORT ?? (NODE_ENV === 'test' ? 0 : ${grpcPort})),
      }),
    })`,
    gateway: "GatewayModule.forRoot({ mount: '/' })",
  }[part];
}
