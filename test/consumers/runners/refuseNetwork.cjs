// runners.test.ts loads this file into each process of a test runner. It refuses network connections, and appends the
// host of each refused connection to the file REFUSED_HOSTS.
const { appendFileSync } = require('node:fs');
const { Socket } = require('node:net');

const { connect } = Socket.prototype;
Socket.prototype.connect = function refuse(...args) {
  const { host, port } = [args[0]].flat()[0];
  // The runner's processes communicate through pipes. Pipes have no port, and are not refused.
  if (port === undefined) return connect.apply(this, args);
  appendFileSync(process.env.REFUSED_HOSTS, `${host}\n`);
  process.nextTick(() => this.destroy(new Error('This test has no network.')));
  return this;
};
