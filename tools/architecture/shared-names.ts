import type { SharedNames } from './name-rules.js';

/**
 * Names that are declared more than once today, and why; each with the number of declarations that
 * it has. An entry goes when its name belongs to one thing again. A new one needs a reason that
 * holds for a reader who knows neither of the two.
 */
export const SHARED_NAMES: SharedNames = [
  {
    reason:
      'One concept, written again because its packages must not import each other. It belongs in ' +
      'contracts, or in what the packages share, as soon as one of them is changed.',
    names: {
      CommandIo: 2,
      Next: 2,
      SchemaIssue: 2,
      StandardSchema: 2,
      cutText: 2,
    },
  },
  {
    reason:
      'The same part of the same design in two sinks, or in packages that offer the same seam. A ' +
      'reader who knows one of them knows the other.',
    names: { Outlet: 2, Settings: 2, resolveConfig: 2 },
  },
  {
    reason: 'One thing: the interface, and the same name with a value beside it for the users.',
    names: { Host: 2 },
  },
  {
    reason:
      'Two things on the way of a call, met by the same reader. One of them has to be renamed.',
    names: {
      Handle: 2,
    },
  },
  {
    reason: 'Two things in the host and what extends it. One of them has to be renamed.',
    names: { Verdict: 3 },
  },
  {
    reason:
      'Different things in packages that have nothing to do with each other. The more general one ' +
      'should be renamed.',
    names: {
      Client: 2,
      Fields: 3,
      Level: 2,
      isWhole: 2,
    },
  },
];
