/** Why: docs/decisions/0240 */
export { HealthCheckService, TerminusModule } from '@nestjs/terminus';
