import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

/** What a proxy does with the base path before it forwards a request. */
export type Habit = 'cuts it off' | 'leaves it';

/** A reverse proxy that forwards each path to a port of this machine. */
export async function startProxy(ports: Readonly<Record<string, number>>, habit: Habit) {
  const targetOf = (url: string): { port: number; path: string } | undefined => {
    const [below, port] = Object.entries(ports).find(([path]) => `${url}/`.startsWith(`${path}/`)) ?? [];
    if (below === undefined || port === undefined) return undefined;
    return { port, path: habit === 'leaves it' ? url : url.slice(below.length) || '/' };
  };
  const server = createServer((request, response) => {
    const { url = '', method, headers } = request;
    const target = targetOf(url);
    if (target === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('none of ours');
      return;
    }
    const { port, path } = target;
    const sent = ask({ host: '127.0.0.1', port, path, method, headers }, (answer: IncomingMessage) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    response.on('close', () => sent.destroy());
    sent.on('error', () => response.destroy());
    request.pipe(sent);
  });
  server.on('upgrade', ({ url = '', method, rawHeaders }, socket, head) => {
    const { port, path } = targetOf(url) ?? { port: 0, path: '' };
    const upstream = connect(port, '127.0.0.1');
    const headers = rawHeaders.map((part, i) => (i % 2 === 0 ? `${part}: ` : `${part}\r\n`)).join('');
    upstream.write(`${method} ${path} HTTP/1.1\r\n${headers}\r\n`);
    upstream.write(head);
    for (const end of [socket, upstream]) {
      end.on('error', () => undefined);
      end.on('close', () => [socket, upstream].forEach((each) => each.destroy()));
    }
    socket.pipe(upstream).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}
