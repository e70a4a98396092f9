/**
 * Calls a handler by name in a child process that uses {@link serveParent}. Rejects if the handler fails or the child
 * exits.
 */
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

/** Handles the calls that the parent process makes with {@link requestChild}. Exits when the parent has exited. */
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
