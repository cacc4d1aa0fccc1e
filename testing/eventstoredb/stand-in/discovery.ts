import { randomUUID } from 'node:crypto';
import type { sendUnaryData, ServiceDefinition } from '@grpc/grpc-js';
import featuresPb from '@eventstore/db-client/generated/serverfeatures_pb.js';
import gossipPb from '@eventstore/db-client/generated/gossip_pb.js';
import type { Context } from './context.ts';
import { ENDED, faulty, never } from './faulty.ts';
import { uuidOf } from './protocol.ts';

const VERSION = '23.10.0';

const LEADER = 8;

/** `ServerFeatures.GetSupportedMethods`: clients call it once a connection, to learn of batch append. */
export async function supportedMethods(
  context: Context,
  services: readonly ServiceDefinition[],
  answer: sendUnaryData<featuresPb.SupportedMethods>,
): Promise<void> {
  await respond(context, 'serverFeatures', answer, () => {
    const methods = services.flatMap((service) => Object.values(service));
    return new featuresPb.SupportedMethods().setEventStoreServerVersion(VERSION).setMethodsList(
      methods.map(({ path }) => {
        const [, serviceName, methodName] = path.split('/');
        // The server writes both names in lower case.
        return new featuresPb.SupportedMethod()
          .setServiceName(serviceName!.toLowerCase())
          .setMethodName(methodName!.toLowerCase());
      }),
    );
  });
}

/** `Gossip.Read`: a cluster with this node alone, which is the leader. */
export async function gossip(
  context: Context,
  port: () => number,
  answer: sendUnaryData<gossipPb.ClusterInfo>,
): Promise<void> {
  await respond(context, 'gossip', answer, () =>
    new gossipPb.ClusterInfo().setMembersList([
      new gossipPb.MemberInfo()
        .setInstanceId(uuidOf(randomUUID()))
        .setTimeStamp(String(BigInt(Date.now()) * 10_000n))
        .setState(LEADER)
        .setIsAlive(true)
        .setHttpEndPoint(new gossipPb.EndPoint().setAddress('127.0.0.1').setPort(port())),
    ]),
  );
}

async function respond<T>(
  context: Context,
  method: 'serverFeatures' | 'gossip',
  answer: sendUnaryData<T>,
  build: () => T,
): Promise<void> {
  try {
    const result = await faulty(context.faults.take(method), context.cut, async () => build());
    answer(null, result === ENDED ? await never() : result);
  } catch (error) {
    answer(error as Error);
  }
}
