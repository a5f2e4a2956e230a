import { CALL_STAGE, type CallStage, Code, StatusError } from '@apix/contracts';

/** Who may call, and who may not although they are known. */
export const TOKENS = { allowed: 'Bearer let-me.in_7', denied: 'Bearer nobody' } as const;

/** Stands for a policy: who has no token is not known, and not everybody who is known may call. */
export const gatekeeper: CallStage = {
  [CALL_STAGE]: true,
  name: 'authz',
  bind: () => ({
    onCall({ metadata }) {
      const [token] = metadata.get('authorization');
      if (token === TOKENS.allowed) return;
      if (token === TOKENS.denied) throw new StatusError(Code.PERMISSION_DENIED, 'not you');
      throw new StatusError(Code.UNAUTHENTICATED, 'a token is needed');
    },
  }),
};

/** Hears of the calls that were cancelled, by their methods. */
export class Cancellations {
  readonly #heard: string[] = [];
  #wake = (): void => {};

  readonly stage: CallStage = {
    [CALL_STAGE]: true,
    name: 'cancellations',
    bind: ({ fullName }) => ({
      onEnd: (_, { code }) => {
        if (code !== Code.CANCELLED) return;
        this.#heard.push(fullName.split('/').at(-1)!);
        this.#wake();
      },
    }),
  };

  /** Waits for one of a method, which is forgotten then. @throws Error when none comes in ten seconds. */
  async of(method: string): Promise<void> {
    const late = AbortSignal.timeout(10_000);
    while (!this.#heard.includes(method)) {
      if (late.aborted) throw new Error(`the server did not hear that ${method} was cancelled`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        late.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    this.#heard.splice(this.#heard.indexOf(method), 1);
  }
}
