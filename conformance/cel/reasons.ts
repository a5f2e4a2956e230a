/** Why cases are not passed: what is not listed must pass, and what is listed must not. */
export interface Reason {
  readonly because: string;
  /** The cases, by their path. */
  readonly cases: RegExp;
  /** With it only those whose expression has such a mistake; the rest of the cases must pass. */
  readonly mistake?: RegExp;
  /** How many cases it names: another number is a failure. */
  readonly count: number;
}

const UNKNOWN_CALL =
  /^undeclared (function|name)|^syntax error|^<input>|^function \w+ does not take|expecting end of input/;

export const EVALUATION_REASONS: readonly Reason[] = [
  {
    because: 'the parser of @bufbuild/cel 0.6 has no names in backticks',
    cases:
      /^conformance\/(fields\/quoted_map_fields|proto[23]\/(quoted_fields|extensions_(has|get)))\//,
    mistake: /expecting end of input/,
    count: 28,
  },
  {
    because: 'an extension of CEL, not its standard: optional values',
    cases: /optional/,
    mistake: UNKNOWN_CALL,
    count: 79,
  },
  {
    because:
      'an extension of CEL, not its standard: strings, math, base64, blocks, bind, macros of two variables',
    cases:
      /^conformance\/(string_ext|math_ext|encoders_ext|block_ext|bindings_ext|macros2|proto2_ext)\//,
    mistake: UNKNOWN_CALL,
    count: 514,
  },
  {
    because: 'enums are ints, as in the legacy suites; these want types of their own',
    cases:
      /^conformance\/enums\/strong_proto[23]\/(type_global|type_nested|field_type|assign_standalone_int(_big|_neg)?|convert_\w+)$/,
    count: 18,
  },
  {
    because: 'functions that only the case declares',
    cases:
      /^conformance\/type_deductions\/(functions\/function_result_type|type_parameters\/multiple_parameters_\w+|legacy_nullable_types\/null_assignable_to_abstract_parameter_candidate)$/,
    mistake: UNKNOWN_CALL,
    count: 6,
  },
];

/** Counts what passes, what is named, and says what is neither. */
export class Tally {
  private passed = 0;
  private readonly failures: string[] = [];
  private readonly named = new Map<Reason, number>();

  constructor(
    private readonly title: string,
    private readonly reasons: readonly Reason[],
  ) {}

  add(path: string, failure: string | undefined, mistakes: readonly string[]): void {
    const reason = this.reasons.find(
      ({ cases, mistake }) =>
        cases.test(path) &&
        (mistake === undefined
          ? failure !== undefined
          : mistakes.some((text) => mistake.test(text))),
    );
    if (reason !== undefined) this.named.set(reason, (this.named.get(reason) ?? 0) + 1);
    else if (failure === undefined) this.passed++;
    else this.failures.push(`${path}: ${failure}`);
  }

  /** Prints, and gives the number of failures. */
  end(): number {
    for (const reason of this.reasons) {
      const count = this.named.get(reason) ?? 0;
      console.log(`  ${count} named: ${reason.because}`);
      if (count !== reason.count) {
        this.failures.push(`${reason.count} cases must be named, not ${count}: ${reason.because}`);
      }
    }
    const named = [...this.named.values()].reduce((sum, count) => sum + count, 0);
    for (const failure of this.failures) console.log(`FAILED ${failure}`);
    console.log(
      `${this.title}: ${this.passed} pass, ${named} named, ${this.failures.length} failed`,
    );
    return this.failures.length;
  }
}
