/** The result of an indicator of `@nestjs/terminus`: by key, a status and further details. */
export type IndicatorResult = Readonly<Record<string, IndicatorStatus>>;

export interface IndicatorStatus {
  /** `up`, `degraded` or `down`. */
  readonly status: string;
  readonly message?: unknown;
}

/**
 * The value that a health check returns. Nothing and `true` mean well, `false` means not well. A result of
 * terminus means well unless one of its keys is `down`.
 */
export type HealthAnswer = void | boolean | IndicatorResult;
