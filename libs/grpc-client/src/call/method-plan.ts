import type { CallMethod } from '@apix/contracts';
import type { DescMethod } from '@bufbuild/protobuf';
import type { InheritRules } from '../inherit/inherit-options.js';
import type { LostCallPolicy } from '../service-config/lost-calls.js';
import type { ClientChain } from '../stages/client-chain.js';
import type { ClientChannel } from './client-channel.js';

/** What is known of the calls of a method before one is made. */
export interface MethodPlan {
  readonly desc: DescMethod;
  readonly method: CallMethod;
  readonly channel: ClientChannel;
  /** A call keeps to the one that it began with. */
  chain: ClientChain;
  /** undefined where nothing is inherited. */
  readonly inherit: InheritRules | undefined;
  /** Milliseconds; Infinity: no deadline. */
  readonly timeoutMs: number;
  readonly waitForReady: boolean;
  /** undefined where calls are not made again. */
  readonly lost: LostCallPolicy | undefined;
}
