'use client';
import { toExpress } from '@partner-ramp/react/server/express';

export default function Page() {
  return <p>{typeof toExpress}</p>;
}
