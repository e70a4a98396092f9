/** Sends a request to a child process that calls {@link serveParent}. Returns its result. */
export function requestChild(child, name, data) {
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    const end = (settle, value) => {
      child.off('message', onMessage);
      child.off('exit', onExit);
      settle(value);
    };
    const onExit = () => end(reject, new Error(`The process ended before it replied to ${name}.`));
    const onMessage = (message) => {
      if (message.id !== id) return;
      if (message.error) end(reject, new Error(message.error));
      else end(resolve, message.result);
    };
    child.on('message', onMessage).once('exit', onExit);
    child.send({ id, name, data }, (error) => error && end(reject, error));
  });
}

let lastId = 0;

/** Sends the results of the handlers to the parent process, and exits together with it. */
export function serveParent(handlers) {
  process.on('message', async ({ id, name, data }) => {
    try {
      process.send({ id, result: await handlers[name](data) });
    } catch (error) {
      process.send({ id, error: `${error.stack}` });
    }
  });
  process.once('disconnect', () => process.exit(1));
}
