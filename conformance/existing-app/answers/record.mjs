import { startApp } from '../running-app.mjs';
import { grpcAnswers } from './grpc.mjs';
import { httpAnswers } from './http.mjs';
import { messageAnswers } from './message.mjs';
import { socketAnswers } from './socket.mjs';

/** Starts what was built, asks it everything, and ends it: all answers by name, as plain data. */
export async function recordAnswers(folder) {
  const app = await startApp(folder, { APP_ENVIRONMENT: 'Development' });
  try {
    const answers = {
      ...(await httpAnswers(app)),
      ...(await grpcAnswers(app)),
      ...(await socketAnswers(app)),
      ...(await messageAnswers(app)),
    };
    return JSON.parse(JSON.stringify(answers));
  } catch (error) {
    throw new Error(`asking the app failed\n${app.output}`, { cause: error });
  } finally {
    await app.end();
    await app.remove();
  }
}
