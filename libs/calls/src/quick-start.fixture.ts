import { orderStages } from '@apix/calls';
import { stageInterceptor } from '@apix/calls/grpc';
import { type CallStage, Code, StatusError } from '@apix/contracts';
import { Server } from '@grpc/grpc-js';

const tenancy: CallStage = {
  name: 'tenancy',
  bind: () => ({
    onCall({ metadata }) {
      if (metadata.get('x-tenant').length === 0) {
        throw new StatusError(Code.INVALID_ARGUMENT, 'the header x-tenant is missing');
      }
    },
  }),
};
const drain: CallStage = { name: 'drain', before: ['trace'], bind: () => null };

export function quickStart(): Server {
  const stages = orderStages([tenancy, drain]);
  console.log(stages.map(({ name }) => name).join(' -> '));
  return new Server({ interceptors: [stageInterceptor(stages, () => undefined)] });
}
