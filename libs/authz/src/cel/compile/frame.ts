import { CelError } from '../cel-error.js';
import type { CelValues } from '../cel-scope.js';

/** One evaluation: values of variables, elements of macros that run, and the steps taken. */
export class EvaluationFrame {
  readonly locals: unknown[] = [];
  private steps = 0;

  constructor(
    readonly values: CelValues,
    private readonly maxSteps: number,
  ) {}

  /** Counts steps; an error once there are too many. */
  step(count: number): CelError | undefined {
    this.steps += count;
    if (this.steps <= this.maxSteps) return undefined;
    return new CelError(`the evaluation takes more than ${this.maxSteps} steps`);
  }
}

/** A compiled part of an expression: its value, or a CelError. */
export type EvaluatePart = (frame: EvaluationFrame) => unknown;
