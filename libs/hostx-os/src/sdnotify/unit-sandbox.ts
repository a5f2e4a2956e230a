/** What of a service decides about its sandbox. */
export interface SandboxNeeds {
  /** Undefined: root, which keeps its capabilities. */
  readonly user?: string | undefined;
  readonly capabilities: readonly string[];
  /** Written as in a unit. */
  readonly readWritePaths: readonly string[];
  /** Texts that may name paths which the service reads, such as its command. */
  readonly reads: readonly string[];
}

const IN_A_HOME = /(?:^|[\s"'=:])\/(?:home|root|run\/user)(?:\/|[\s"':]|$)/;

/**
 * The lines of a unit that let a service do what a Node server does, and nothing else: it can write to
 * the folders that systemd makes for it and to a temporary one of its own.
 */
// Why: docs/decisions/0345
export function sandboxLines(needs: SandboxNeeds): readonly string[] {
  const { user, capabilities, readWritePaths, reads } = needs;
  const isInHome = [...reads, ...readWritePaths].some((text) => IN_A_HOME.test(text));
  return [
    '# What the service may do. `systemctl edit` takes single lines back.',
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
    // With ProtectKernelTunables, systemd 252 leaves it writable.
    'ReadOnlyPaths=/run',
    ...readWritePaths.map((path) => `ReadWritePaths=${path}`),
    `ProtectHome=${isInHome ? 'read-only' : 'yes'}`,
    'PrivateTmp=yes',
    'PrivateDevices=yes',
    'ProtectProc=invisible',
    'ProtectClock=yes',
    'ProtectHostname=yes',
    'ProtectKernelLogs=yes',
    'ProtectKernelModules=yes',
    'ProtectKernelTunables=yes',
    'ProtectControlGroups=yes',
    // Root without its capabilities could not even read files of others.
    ...(user === undefined ? [] : [`CapabilityBoundingSet=${capabilities.join(' ')}`]),
    // Node lists the addresses of the machine by AF_NETLINK.
    'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
    'RestrictNamespaces=yes',
    'RestrictRealtime=yes',
    'RestrictSUIDSGID=yes',
    'LockPersonality=yes',
    ...(user === undefined ? [] : ['RemoveIPC=yes']),
    'SystemCallArchitectures=native',
    'SystemCallFilter=@system-service',
    '# An error that Node can handle, in place of a kill.',
    'SystemCallErrorNumber=EPERM',
    '# Others read no files that it makes; its group does, as readers of logs need it.',
    'UMask=0027',
    '# Not MemoryDenyWriteExecute: V8 compiles while it runs, as WebAssembly and calls of native code do.',
  ];
}
