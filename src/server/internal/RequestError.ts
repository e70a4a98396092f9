import { RampError } from '../../protocol/errors/RampError.js';

/** A request that is wrong as HTTP. */
export class RequestError extends RampError {
  readonly status: number;

  constructor(status: number, message: string) {
    super('ERR_REQUEST', message);
    this.status = status;
  }
}
