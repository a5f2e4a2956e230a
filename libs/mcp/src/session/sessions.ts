import type { RpcId } from '../rpc/rpc-message.js';

/** What is known of a client that has said hello. */
export interface McpSession {
  readonly id: string;
  readonly revision: string;
  /** The name of the client, for events. */
  readonly client: string | undefined;
  /** Cancels requests under way. */
  readonly underWay: Map<RpcId, () => void>;
}

/** Who has a session. */
export interface SessionOwner {
  /** A digest of the credentials that the latest request had. */
  readonly credentials: string;
  /** Who the caller is, or where it comes from if it has not said so. */
  readonly key: string;
}

interface SessionEntry {
  readonly session: McpSession;
  owner: SessionOwner;
  usedAt: number;
}

/** How many sessions there may be, and for how long. */
export interface SessionLimits {
  readonly max: number;
  readonly maxPerCaller: number;
  /** In milliseconds. */
  readonly timeout: number;
}

/** The sessions of a server, the one that was not used for longest first. They hold nothing that a call depends on. */
export class Sessions {
  readonly #limits: SessionLimits;
  readonly #now: () => number;
  readonly #entries = new Map<string, SessionEntry>();
  readonly #counts = new Map<string, number>();

  constructor(limits: SessionLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Makes a session, for which an older one ends if there are too many, first of all one of the same caller. */
  open(owner: SessionOwner, about: Pick<McpSession, 'revision' | 'client'>): McpSession {
    this.#endUnused();
    const { max, maxPerCaller } = this.#limits;
    if ((this.#counts.get(owner.key) ?? 0) >= maxPerCaller) this.#endOldest(owner.key);
    if (this.#entries.size >= max) this.#endOldest(undefined);
    const session = {
      ...about,
      id: process.getBuiltinModule('node:crypto').randomBytes(24).toString('base64url'),
      underWay: new Map(),
    };
    this.#entries.set(session.id, { session, owner, usedAt: this.#now() });
    this.#counts.set(owner.key, (this.#counts.get(owner.key) ?? 0) + 1);
    return session;
  }

  /**
   * The session of an id, if it belongs to the caller: with the same credentials, or as `ownerOf` says. Undefined for
   * any other, as if it did not exist.
   *
   * @param ownerOf finds out who calls; asked only for other credentials than before.
   */
  async find(
    id: string,
    credentials: string,
    ownerOf: () => Promise<SessionOwner>,
  ): Promise<McpSession | undefined> {
    this.#endUnused();
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    if (entry.owner.credentials !== credentials) {
      const owner = await ownerOf();
      // It may have ended meanwhile.
      if (owner.key !== entry.owner.key || this.#entries.get(id) !== entry) return undefined;
      entry.owner = owner;
    }
    entry.usedAt = this.#now();
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    return entry.session;
  }

  /** Ends a session; its requests under way go on. */
  end({ id }: Pick<McpSession, 'id'>): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    const { key } = entry.owner;
    const left = (this.#counts.get(key) ?? 1) - 1;
    if (left > 0) this.#counts.set(key, left);
    else this.#counts.delete(key);
  }

  #endOldest(key: string | undefined): void {
    for (const { session, owner } of this.#entries.values()) {
      if (key !== undefined && owner.key !== key) continue;
      this.end(session);
      return;
    }
  }

  #endUnused(): void {
    const since = this.#now() - this.#limits.timeout;
    for (const { session, usedAt } of this.#entries.values()) {
      if (usedAt > since) return;
      this.end(session);
    }
  }
}
