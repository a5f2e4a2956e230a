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
  /** Those of each caller, in the same order. */
  readonly #ofCallers = new Map<string, Map<string, SessionEntry>>();

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
    const own = this.#ofCallers.get(owner.key);
    if (own !== undefined && own.size >= maxPerCaller) this.#endFirst(own);
    if (this.#entries.size >= max) this.#endFirst(this.#entries);
    const session = {
      ...about,
      id: process.getBuiltinModule('node:crypto').randomBytes(24).toString('base64url'),
      underWay: new Map(),
    };
    this.#addLast({ session, owner, usedAt: this.#now() });
    return session;
  }

  /**
   * The session of an id, if it belongs to the caller: with the same credentials, or as `ownerOf` says. Undefined for
   * any other, as if it did not exist.
   *
   * @param ownerOf finds out who calls; asked only for other credentials than before.
   */
  find(
    id: string,
    credentials: string,
    ownerOf: () => Promise<SessionOwner>,
  ): McpSession | undefined | Promise<McpSession | undefined> {
    this.#endUnused();
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    return entry.owner.credentials === credentials
      ? this.#use(entry)
      : this.#ofOwner(entry, ownerOf);
  }

  async #ofOwner(
    entry: SessionEntry,
    ownerOf: () => Promise<SessionOwner>,
  ): Promise<McpSession | undefined> {
    const owner = await ownerOf();
    // It may have ended meanwhile.
    const isThere = this.#entries.get(entry.session.id) === entry;
    if (!isThere || owner.key !== entry.owner.key) return undefined;
    entry.owner = owner;
    return this.#use(entry);
  }

  #use(entry: SessionEntry): McpSession {
    entry.usedAt = this.#now();
    this.end(entry.session);
    this.#addLast(entry);
    return entry.session;
  }

  /** Ends a session; its requests under way go on. */
  end({ id }: Pick<McpSession, 'id'>): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    const { key } = entry.owner;
    const own = this.#ofCallers.get(key);
    own?.delete(id);
    if (own?.size === 0) this.#ofCallers.delete(key);
  }

  #addLast(entry: SessionEntry): void {
    const { session, owner } = entry;
    this.#entries.set(session.id, entry);
    const own = this.#ofCallers.get(owner.key);
    if (own === undefined) this.#ofCallers.set(owner.key, new Map([[session.id, entry]]));
    else own.set(session.id, entry);
  }

  #endFirst(entries: ReadonlyMap<string, SessionEntry>): void {
    for (const { session } of entries.values()) {
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
