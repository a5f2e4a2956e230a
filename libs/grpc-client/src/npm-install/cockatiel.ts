/** Why: docs/decisions/0240 */
export {
  CircuitState,
  CountBreaker,
  circuitBreaker as circuitPolicy,
  handleWhenResult,
} from 'cockatiel';
