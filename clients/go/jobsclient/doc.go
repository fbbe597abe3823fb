// SPDX-License-Identifier: Apache-2.0

// Package jobsclient is a client of the job queue that spec/jobs declares: it puts
// jobs in and follows them to their end, and it runs jobs for others.
//
//	b, err := jobsclient.Connect(ctx, r, w, jobsclient.Options{})
//	job, err := b.Queue("mail").Submit(ctx, "welcome-42", "send", &jobs.SubmitOptions{Input: text})
//	for p := range job.Progress(ctx) { … }
//	end, err := job.Settled(ctx)
//
// All of it is generated, and none of it may be written by hand: the queue is
// the protocol by which the kit is kept general. Its tests have a broker in
// memory.
package jobsclient
