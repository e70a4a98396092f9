// Loaded into each process of a test runner: refuses connections, and appends their hosts to a file.
const { appendFileSync } = require('node:fs');
const { Socket } = require('node:net');

const { connect } = Socket.prototype;
Socket.prototype.connect = function refuse(...args) {
  const { host, port } = [args[0]].flat()[0];
  // Processes talk to each other through pipes, which have no port.
  if (port === undefined) return connect.apply(this, args);
  appendFileSync(process.env.REFUSED_HOSTS, `${host}\n`);
  process.nextTick(() => this.destroy(new Error('This test has no network.')));
  return this;
};
