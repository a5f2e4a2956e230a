/** A revision of the protocol. */
export type Revision = '2026-07-28' | '2025-11-25';

/** A scenario of the suite that is run. */
export interface Scenario {
  readonly name: string;
  readonly revisions: readonly Revision[];
  /** Checks of it that are about what is not offered, with the reason; each has to fail, or the line is out of date. */
  readonly without?: Readonly<Record<string, string>>;
  readonly isQuick?: boolean;
}

const BOTH: readonly Revision[] = ['2026-07-28', '2025-11-25'];
const STATELESS: readonly Revision[] = ['2026-07-28'];

const NO_PROMPTS = 'there are no prompts: RPCs are tools';
const NO_RESOURCES = 'there are no resources: RPCs are tools';
const NO_QUESTIONS = 'no tool asks its client for anything';

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'server-stateless',
    revisions: STATELESS,
    without: {
      'sep-2575-server-rejects-undeclared-capability': NO_QUESTIONS,
      'sep-2575-missing-capability-http-400': NO_QUESTIONS,
    },
    isQuick: true,
  },
  { name: 'server-initialize', revisions: ['2025-11-25'], isQuick: true },
  { name: 'ping', revisions: ['2025-11-25'] },
  { name: 'tools-list', revisions: BOTH, isQuick: true },
  { name: 'tools-call-simple-text', revisions: BOTH },
  { name: 'tools-call-error', revisions: BOTH },
  { name: 'tools-call-with-progress', revisions: BOTH, isQuick: true },
  { name: 'server-sse-multiple-streams', revisions: BOTH },
  { name: 'dns-rebinding-protection', revisions: BOTH, isQuick: true },
  {
    name: 'caching',
    revisions: STATELESS,
    without: {
      'sep-2549-prompts-list-caching-hints': NO_PROMPTS,
      'sep-2549-resources-list-caching-hints': NO_RESOURCES,
      'sep-2549-resources-templates-list-caching-hints': NO_RESOURCES,
    },
  },
  { name: 'http-header-validation', revisions: STATELESS, isQuick: true },
];

/** Scenarios that a revision asks for and that are about what is not offered, by how their names begin. */
export const NOT_OFFERED: Readonly<Record<string, string>> = {
  'tools-call-image': 'answers are messages, as text and as data',
  'tools-call-audio': 'answers are messages, as text and as data',
  'tools-call-embedded-resource': NO_RESOURCES,
  'tools-call-mixed-content': 'answers are messages, as text and as data',
  'tools-call-with-logging': 'logs are for operators; clients are sent none',
  'tools-call-sampling': NO_QUESTIONS,
  'tools-call-elicitation': NO_QUESTIONS,
  'logging-set-level': 'logs are for operators; clients are sent none',
  'completion-complete': 'there is no completion: arguments have a schema',
  'resources-': NO_RESOURCES,
  'sep-2164-resource-not-found': NO_RESOURCES,
  'prompts-': NO_PROMPTS,
  'elicitation-': NO_QUESTIONS,
  'input-required-result-': NO_QUESTIONS,
};
