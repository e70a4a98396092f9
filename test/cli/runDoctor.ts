import type { Finding } from '../../src/cli/doctor/Finding.js';
import { createDoctor } from '../../src/cli/doctor.js';
import { runCli } from '../../src/cli/runCli.js';
import { fakeCommandIo } from './fakeCommandIo.js';

type DoctorOptions = Parameters<typeof createDoctor>[0] & { readonly cwd?: string };
type Env = Readonly<Record<string, string | undefined>>;

/** Runs `partner-ramp doctor --json`, and returns its exit code and its findings. */
export async function runDoctor(
  env: Env,
  args: readonly string[] = [],
  options: DoctorOptions = {},
) {
  const { code, output } = await printDoctor(env, [...args, '--json'], options);
  const { findings } = JSON.parse(output) as { findings: Finding[] };
  const list = (status: Finding['status']) =>
    findings.filter((finding) => finding.status === status).map(({ check }) => check);
  return { code, output, findings, problems: list('problem'), warnings: list('warning') };
}

/** Runs `partner-ramp doctor`, and returns its exit code and what it printed. */
export async function printDoctor(
  env: Env,
  args: readonly string[] = [],
  { cwd, ...options }: DoctorOptions = {},
) {
  const io = fakeCommandIo({ env, ...(cwd !== undefined && { cwd }) });
  const commands = { doctor: async () => createDoctor(options) };
  const code = await runCli(commands, ['doctor', ...args], io);
  return { code, output: io.output() };
}
