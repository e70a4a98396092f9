import { RampError } from '../../protocol/errors/RampError.js';

/** An error of an invalid HTTP request: `ERR_REQUEST` with the status of the response. */
export class RequestError extends RampError {
  override readonly status: number;

  constructor(status: number, message: string) {
    super('ERR_REQUEST', message);
    this.status = status;
  }
}
